import { readdirSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { reply, scriptedServer, stream } from "../../endpoints/test/support/scripted-server.js";
import { cli } from "./support/cli.js";
import { fileIn, workplace } from "./support/launch/workplace.js";

/** A port that `fetch` refuses. */
const at6000 = ["http://127.0.0.1:6000", "--model", "m"];

describe("launch refuses", () => {
  test.each([
    [["claud"], 64, 'There is no client "claud". Did you mean "claude"?'],
    [["foo"], 64, 'no client "foo". There are "claude", "codex", "opencode", "qwen", "aider", "goose", "droid".'],
    [
      ["codex", "--model", "m", "--config", "config.toml"],
      64,
      "--config does not start Codex, so it takes no arguments of it: config.toml",
    ],
    [["codex", "--restore", "x", "y"], 64, "--restore does not start Codex, so it takes no arguments of it: x y"],
    [["claude"], 64, "Which model? Give --model NAME, --upstream URL or --embedded [MODEL]."],
    [["claude", "--model", "m", "--", "--model", "x"], 64, "--model of Claude Code is set by launch"],
    [["claude", "--model", "m", "--", "--model=x"], 64, "--model=x of Claude Code is set by launch"],
    [["codex", "--model", "m", "--", "exec", "-c", "model_provider=x"], 64, "-c of Codex is set by launch"],
    [["claude", "--url", "ftp://gpu", "--model", "m"], 64, '"ftp://gpu" has the protocol ftp:, not http: or https:'],
    [
      ["claude", "--url", "http://127.0.0.1:2", "--config"],
      64,
      "--model is missing, and no gateway answers that could",
    ],
    ...[
      ["--url", ...at6000],
      ["--url", ...at6000, "--config"],
      ["--upstream", ...at6000],
    ].map((flags): [string[], number, string] => [
      ["claude", ...flags],
      64,
      "http://127.0.0.1:6000 cannot be reached: Node.js,",
    ]),
    [["claude", "--config", "--restore"], 64, "option '--config' cannot be used with option '--restore'"],
    [
      ["claude", "--url", "http://a", "--upstream", "http://b"],
      64,
      "option '--url <url>' cannot be used with option '-u, --upstream <url>'",
    ],
    [["claude", "--config", "--embedded"], 64, "option '--config' cannot be used with option '--embedded [model]'"],
    [["claude", "--upstream", "http://b", "--key", "k"], 64, "--key is the key of --url, which is missing."],
  ])("%j", async (args, expected, message) => {
    const { env } = workplace("claude", "codex");
    const { code, stderr } = await cli(["launch", ...args], { env });
    expect(stderr).toContain(message);
    expect(code).toBe(expected);
  });

  test.each([
    [["--upstream", "http://u:SECRETPW@127.0.0.1:1/v1"]],
    [["--url", "http://u:SECRETPW@127.0.0.1:1"]],
    [["--url", "http://u:SECRETPW@127.0.0.1:1", "--config"]],
    [["--url", "u:SECRETPW@127.0.0.1:1", "--config"]],
    [["--url", "http://u:SECRETPW@127.0.0.1:no"]],
    [["--url", "ftp://u:SECRETPW@127.0.0.1"]],
  ])("a password in an address, and shows it nowhere: %j", async (flags) => {
    const { home, env } = workplace("codex");
    const { code, stdout, stderr } = await cli(["launch", "codex", ...flags, "--model", "m"], { env });
    expect([code, stdout]).toEqual([64, ""]);
    expect(stderr).toMatch(
      /^error: (?:The address contains a name or a password|"http:..…@127.0.0.1:no" is not a URL)/,
    );
    expect(stderr).not.toContain("SECRETPW");
    expect(readdirSync(home)).toEqual(["bin"]);
  });

  test("a wrong configuration, before it asks the model's server", async () => {
    const { home, env } = workplace("codex");
    const upstream = 'upstream: { url: "http://u:SECRETPW@127.0.0.1:1/v1" }';
    fileIn(home, "toolingua.yaml", `models:\n- { name: m, ${upstream} }\n`);
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(home);
    const inFile = await cli(["launch", "codex"], { env });
    expect(inFile).toMatchObject({ code: 70, stderr: expect.stringContaining("cannot contain a name and password") });
    expect(inFile.stderr).not.toContain("SECRETPW");
    const url = "http://127.0.0.1:1/v1/completions";
    const { code, stderr } = await cli(["launch", "codex", "--upstream", url, "--model", "m"], { env });
    expect({ code, stderr }).toEqual({ code: 70, stderr: expect.stringContaining('without "/completions"') });
  });

  test("a client that is not installed, with its installation command", async () => {
    const { env } = workplace();
    const { baseURL } = await scriptedServer(stream(reply("Hi")));
    const { code, stderr } = await cli(["launch", "claude", "--upstream", baseURL, "--model", "m"], { env });
    expect({ code, stderr }).toEqual({
      code: 70,
      stderr:
        "error: Claude Code is not installed: there is no program `claude`. Install it: npm install -g @anthropic-ai/claude-code\n",
    });
  });
});
