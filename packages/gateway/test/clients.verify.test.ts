import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { reply, stream } from "../../endpoints/test/support/scripted-server.js";
import { call, gatewayBefore, pieces } from "./support/gateway.js";

// Real programs as clients, which are fetched from the registries: Claude Code and Codex write a file by their own tools, and the
// SDKs in Python read whole answers and streams of each API.

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "toolingua-clients-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Installs an npm package apart from the workspace; gives its folder. */
async function installed(name: string, version: string): Promise<string> {
  await run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", `${name}@${version}`], { cwd: folder });
  return join(folder, "node_modules", name);
}

/** A folder to work in, and the environment of somebody who never used the program. */
function workplace(name: string) {
  const [home, work] = [join(folder, `${name}-home`), join(folder, `${name}-work`)];
  mkdirSync(home);
  mkdirSync(work);
  const { PATH = "" } = process.env;
  return { work, home, env: { PATH, HOME: home } };
}

/** An upstream that makes this call, and then says that it is done. */
const callsOnce = (made: string) => [stream(reply(...pieces(`I write it.\n${made}`))), stream(reply("All done."))];

describe("Claude Code", () => {
  it("writes a file by its own tool", async () => {
    const at = await installed("@anthropic-ai/claude-code", "2.1.197");
    // npm runs no install scripts: this one puts the program for this machine in its place.
    await run(process.execPath, [join(at, "install.cjs")], { cwd: at });
    const { work, env } = workplace("claude");
    const file = join(work, "hello.txt");
    const made = call({ file_path: file, content: "hi there" }, "Write");
    const { url, upstream } = await gatewayBefore(callsOnce(made), { model: { aliases: ["claude-*"] } });
    const child = run(
      join(folder, "node_modules", ".bin", "claude"),
      ["-p", "Write hello.txt", "--allowedTools", "Write", "--output-format", "json"],
      {
        cwd: work,
        env: {
          ...env,
          ANTHROPIC_BASE_URL: url,
          ANTHROPIC_AUTH_TOKEN: "none",
          ANTHROPIC_API_KEY: "",
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        },
      },
    );
    child.child.stdin?.end();
    const { stdout } = await child;
    expect(JSON.parse(stdout)).toMatchObject({ is_error: false, num_turns: 2, result: "All done." });
    expect(readFileSync(file, "utf8")).toBe("hi there");
    expect(JSON.stringify(upstream.requests[1]?.body)).toContain("File created successfully");
  });
});

describe("Codex", () => {
  it("runs a command by its own tool", async () => {
    await installed("@openai/codex", "0.169.0");
    const { work, home, env } = workplace("codex");
    const file = join(work, "hello.txt");
    const made = call({ cmd: `echo hi there > ${file}` }, "exec_command");
    const { url } = await gatewayBefore(callsOnce(made));
    mkdirSync(join(home, ".codex"));
    const provider = `[model_providers.gateway]\nname = "gateway"\nbase_url = "${url}/v1"\nwire_api = "responses"\n`;
    writeFileSync(join(home, ".codex", "config.toml"), `model = "m"\nmodel_provider = "gateway"\n${provider}`);
    const options = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
    const child = run(join(folder, "node_modules", ".bin", "codex"), ["exec", ...options, "Write hello.txt"], {
      cwd: work,
      env: { ...env, CODEX_HOME: join(home, ".codex") },
    });
    child.child.stdin?.end();
    expect((await child).stdout).toContain("All done.");
    expect(readFileSync(file, "utf8")).toBe("hi there\n");
  });
});

const script = `
import sys, json, openai, anthropic
url, messages = sys.argv[1], [{"role": "user", "content": "Weather?"}]
parameters = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
chat = openai.OpenAI(base_url=url + "/v1", api_key="none", max_retries=0)
messages_api = anthropic.Anthropic(base_url=url, api_key="none", max_retries=0)
function = {"name": "get_weather", "parameters": parameters}
asked = {"model": "m", "messages": messages, "tools": [{"type": "function", "function": function}]}
answers = [chat.chat.completions.create(**asked).choices[0].message.tool_calls[0].function.arguments]
with chat.chat.completions.stream(**asked) as stream:
    for _ in stream: pass
    answers.append(stream.get_final_completion().choices[0].message.tool_calls[0].function.arguments)
asked = {"model": "m", "input": messages, "tools": [{"type": "function", "strict": False, **function}]}
calls = lambda response: [item.arguments for item in response.output if item.type == "function_call"]
answers += calls(chat.responses.create(**asked))
with chat.responses.stream(**asked) as stream:
    for _ in stream: pass
    answers += calls(stream.get_final_response())
asked = {"model": "m", "max_tokens": 99, "messages": messages, "tools": [{"name": "get_weather", "input_schema": parameters}]}
inputs = lambda message: [json.dumps(block.input) for block in message.content if block.type == "tool_use"]
answers += inputs(messages_api.messages.create(**asked))
with messages_api.messages.stream(**asked) as stream:
    for _ in stream: pass
    answers += inputs(stream.get_final_message())
print(json.dumps([json.loads(answer) for answer in answers]))
`;

describe("the SDKs in Python", () => {
  it("read a call, whole and streamed, from each API", async () => {
    const packages = join(folder, "python");
    await run("python3", ["-m", "pip", "install", "--quiet", "--target", packages, "openai", "anthropic"]);
    expect(existsSync(join(packages, "openai"))).toBe(true);
    const { url } = await gatewayBefore([stream(reply(...pieces(`I look.\n${call({ city: "Oslo" })}`)))]);
    const { stdout } = await run("python3", ["-c", script, url], { env: { ...process.env, PYTHONPATH: packages } });
    expect(JSON.parse(stdout)).toEqual(Array.from({ length: 6 }, () => ({ city: "Oslo" })));
  });
});
