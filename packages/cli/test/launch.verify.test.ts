import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { reply, scriptedServer, stream } from "../../endpoints/test/support/scripted-server.js";
import { command } from "./support/processes.js";

// The clients themselves, which are fetched from the registry: each writes a file by its own tool, and is launched as a person
// would, with nothing set up but what launch sets up.

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "toolingua-launch-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Installs an npm package apart from the workspace; gives its folder. */
async function installed(name: string, version: string): Promise<string> {
  await run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", `${name}@${version}`], { cwd: folder });
  return join(folder, "node_modules", name);
}

/** Launches a client in a home of its own, on a model that makes this call and then says that it is done. */
async function launched(client: string, call: (file: string) => string, args: string[]) {
  const [home, work] = [join(folder, `${client}-home`), join(folder, `${client}-work`)];
  mkdirSync(home);
  mkdirSync(work);
  const file = join(work, "hello.txt");
  const pieces = `I write it.\n<tool_call>\n${call(file)}\n</tool_call>`.match(/[\s\S]{1,6}/g) ?? [];
  const [answer, done] = [stream(reply(...pieces)), stream(reply("All done."))];
  let chats = 0;
  const upstream = await scriptedServer((response, request) => {
    if (request.path === "/v1/models") return response.end('{"data": [{"id": "qwen2.5:7b"}]}');
    return (chats++ === 0 ? answer : done)(response, request);
  });
  const bin = join(folder, "node_modules", ".bin");
  const options = ["--upstream", upstream.baseURL, "--model", "qwen2.5:7b"];
  const child = run(process.execPath, [command, "launch", client, ...options, "--", ...args], {
    cwd: work,
    env: { PATH: `${bin}:${process.env.PATH}`, HOME: home },
  });
  child.child.stdin?.end();
  const { stdout } = await child;
  return { stdout, written: readFileSync(file, "utf8"), upstream };
}

test("Claude Code writes a file", async () => {
  const at = await installed("@anthropic-ai/claude-code", "2.1.197");
  // npm runs no install scripts: this one puts the program for this machine in its place.
  await run(process.execPath, [join(at, "install.cjs")], { cwd: at });
  const call = (file_path: string) => JSON.stringify({ name: "Write", arguments: { file_path, content: "hi there" } });
  const args = ["-p", "Write hello.txt", "--allowedTools", "Write", "--output-format", "json"];
  const { stdout, written, upstream } = await launched("claude", call, args);
  expect(JSON.parse(stdout)).toMatchObject({ is_error: false, result: "All done." });
  expect(written).toBe("hi there");
  const asked = upstream.requests.filter(({ path }) => path !== "/v1/models").map(({ body }) => body.model);
  expect(asked).toEqual(["qwen2.5:7b", "qwen2.5:7b"]);
}, 600_000);

test("Codex runs a command", async () => {
  await installed("@openai/codex", "0.169.0");
  const call = (file: string) =>
    JSON.stringify({ name: "exec_command", arguments: { cmd: `echo hi there > ${file}` } });
  const options = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
  const { stdout, written } = await launched("codex", call, ["exec", ...options, "Write hello.txt"]);
  expect(stdout).toContain("All done.");
  expect(written).toBe("hi there\n");
}, 600_000);
