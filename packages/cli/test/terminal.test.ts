import { spawn } from "node:child_process";
import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { reply, scriptedServer, stream } from "../../endpoints/test/support/scripted-server.js";
import { rightServer } from "./support/doctor/broken-server.js";
import { fileIn, workplace } from "./support/launch/workplace.js";
import { command, inPipe, inTerminal } from "./support/processes.js";

// Every command as a real process, in a terminal and in a pipe. What each prints is checked in tests of its own.

const escapeSign = String.fromCharCode(27);

const commands: { args: string[]; code: number; says: string; plain?: boolean }[] = [
  { args: ["--help"], code: 0, says: "Usage: toolingua [options] [command]" },
  { args: ["parse", "reply.txt", "--tools", "tools.json"], code: 2, says: 'get_weather {"city":"Paris","days":2}' },
  { args: ["parse", "reply.txt", "--explain"], code: 0, says: "<tool_call>⏎" },
  { args: ["render", "request.json", "--model", "qwen2.5:7b"], code: 0, says: "What time is it?" },
  { args: ["schema", "tools.json", "--provider", "gemini"], code: 0, says: '"functionDeclarations"', plain: true },
  {
    args: ["grammar", "-t", "tools.json", "-p", "hermes", "--test", "<tool_call>"],
    code: 1,
    says: "it ends too early",
  },
  { args: ["protocols"], code: 0, says: "qwen3-coder" },
  { args: ["pml", "validate", "session.pml"], code: 0, says: "valid: 2 turns" },
  { args: ["models"], code: 0, says: "smollm2-135m" },
  { args: ["launch", "claud"], code: 64, says: 'There is no client "claud". Did you mean "claude"?' },
  { args: ["chat", "Hi", "--ask", "nevr"], code: 64, says: "Allowed choices are changes, all, never" },
  { args: ["doctor", "ftp://a"], code: 64, says: '"ftp://a" has the protocol ftp:' },
  { args: ["completion", "bsh"], code: 64, says: 'There are no completions for "bsh". Did you mean "bash"?' },
];

describe.each(commands)("toolingua $args", ({ args, code, says, plain }) => {
  test("in a pipe has no colours", async () => {
    const run = await inPipe(args);
    expect({ code: run.code, stderr: run.stderr.includes("Error") }).toEqual({ code, stderr: false });
    expect(run.stdout + run.stderr).toContain(says);
    expect(run.stdout + run.stderr).not.toContain(escapeSign);
  });

  test("in a terminal shows the same, in colours", async () => {
    const { code: ended, shown } = await inTerminal(args);
    expect(ended).toBe(code);
    expect(stripVTControlCharacters(shown)).toContain(says);
    if (!plain && args[0] !== "--help") expect(shown).toContain(`${escapeSign}[`);
  });
});

describe.skipIf(process.platform === "win32")("in a terminal", () => {
  test("doctor shows its progress, and its findings in colours", async () => {
    const { code, shown } = await inTerminal(["doctor", await rightServer(), "--client", "codex"]);
    expect(code).toBe(0);
    const plain = stripVTControlCharacters(shown);
    expect(plain).toMatch(/[█░]{24} \d+\/\d+ Responses: /);
    expect(plain).toMatch(/Codex +Responses +works/);
    expect(shown).toContain(`${escapeSign}[32mworks`);
  });

  test("launch gives the terminal to the client, Ctrl-C too, and ends with its exit code", async () => {
    const { home, env } = workplace();
    const script = "trap 'echo; echo stopped; exit 3' INT; test -t 0 && echo reads; while :; do sleep 0.05; done";
    fileIn(home, "bin/aider", `#!/bin/sh\n${script}\n`);
    chmodSync(join(home, "bin", "aider"), 0o755);
    const { baseURL } = await scriptedServer(stream(reply("Hi")));
    const args = ["launch", "aider", "--url", baseURL, "--model", "m"];
    const { code, shown } = await inTerminal(args, { env, on: [[/reads/, "\u0003"]] });
    expect(shown).toMatch(/reads[\s\S]*stopped/);
    expect(code).toBe(3);
  });

  test("serve prints its address, logs in colours, and ends with Ctrl-C", async () => {
    const { baseURL } = await scriptedServer(stream(reply("Hi")));
    const asked: Promise<unknown>[] = [];
    const ask = (shown: string) => {
      const url = /listening on (\S+)/.exec(stripVTControlCharacters(shown))?.[1];
      const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] });
      asked.push(fetch(`${url}/v1/chat/completions`, { method: "POST", body }).then((response) => response.text()));
    };
    const args = ["serve", "--upstream", baseURL, "--model", "m", "--port", "0"];
    const { code, shown } = await inTerminal(args, {
      on: [
        [/Anthropic +base URL \S+\r?\n/, ask],
        [/ chat m /, "\u0003"],
      ],
    });
    expect(asked.length).toBe(1);
    expect(code).toBe(130);
    expect(shown).toContain(`${escapeSign}[32m200${escapeSign}[39m chat m`);
    expect(shown).toContain("Waiting for the running answers to end; Ctrl-C ends at once.");
  });
});

describe("a terminal", () => {
  test("shows no colours with NO_COLOR", async () => {
    const { shown } = await inTerminal(["protocols", "hermes"], { env: { NO_COLOR: "1" } });
    expect(shown).not.toContain(`${escapeSign}[1m`);
  });

  test("that is narrow wraps the last column of a table", async () => {
    const { shown } = await inTerminal(["protocols"], { columns: 60 });
    const widths = stripVTControlCharacters(shown)
      .split(/\r?\n/)
      .map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(61);
  });

  test("is read until Ctrl-D, with a note", async () => {
    const { code, shown } = await inTerminal(["parse"], { keys: "hello\n\u0004" });
    expect(code).toBe(1);
    expect(shown).toContain("Reading from the terminal; Ctrl-D ends.");
    expect(shown).toMatch(/text.*hello/);
  });

  test("is not steered by a model's text", async () => {
    const { shown } = await inTerminal(["parse"], { keys: "red \u0016\u001b[31m text\n\u0004" });
    expect(shown).toContain("␛[31m text");
  });
});

describe("a pipe", () => {
  test("that closes early is no error", async () => {
    const { spawn } = await import("node:child_process");
    const { command, samples } = await import("./support/processes.js");
    const child = spawn("sh", ["-c", `"${process.execPath}" "${command}" protocols --json | head -n 1`], {
      cwd: samples,
    });
    let stderr = "";
    child.stderr.on("data", (data) => {
      stderr += data;
    });
    await new Promise((resolve) => child.once("close", resolve));
    expect(stderr).toBe("");
  });

  test("gets no style that could hide text, with FORCE_COLOR", async () => {
    const tools = JSON.stringify([{ name: "a", parameters: { "x\u001b[8m": 1 } }]);
    const hiding = fileIn(workplace().home, "tools.json", tools);
    const { stderr } = await inPipe(["schema", hiding, "--provider", "gemini"], { env: { FORCE_COLOR: "1" } });
    expect(stderr).toContain("x␛[8m");
  });

  test("gets colours with FORCE_COLOR", async () => {
    const { stdout } = await inPipe(["protocols", "hermes"], { env: { FORCE_COLOR: "1" } });
    expect(stdout).toContain(`${escapeSign}[1m`);
  });
});

test.runIf(existsSync("/dev/full"))("a full disk is an error in words, not a stack", async () => {
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [command, "protocols"], { stdio: ["ignore", full, "pipe"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const said = child.stderr ? await text(child.stderr) : "";
  expect(said).toMatch(/error: The output cannot be written: ENOSPC.*\n$/);
  expect(said).not.toMatch(/\n +at /);
  expect(await ended).toBe(70);
  closeSync(full);
});
