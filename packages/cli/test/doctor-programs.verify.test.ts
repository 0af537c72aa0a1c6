import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiName, ClientName } from "../src/doctor/clients.js";
import { examine } from "../src/doctor/examine.js";
import { clients } from "../src/launch/clients.js";
import { breakages } from "./support/doctor/breakages.js";
import { brokenServer } from "./support/doctor/broken-server.js";

// What the doctor says of Claude Code and Codex, compared with Claude Code and Codex, which are fetched from the registry: each
// is to write a file by its own tool, and to say so.

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "toolingua-programs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function installed(name: string, version: string): Promise<string> {
  await run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", `${name}@${version}`], { cwd: folder });
  return join(folder, "node_modules", name);
}

beforeAll(async () => {
  const at = await installed("@anthropic-ai/claude-code", "2.1.197");
  await run(process.execPath, [join(at, "install.cjs")], { cwd: at });
  await installed("@openai/codex", "0.169.0");
}, 600_000);

const programs: Partial<Record<ApiName, { client: ClientName; name: string; args(prompt: string): string[] }>> = {
  messages: {
    client: "claude-code",
    name: "claude",
    args: (prompt) => ["-p", prompt, "--allowedTools", "Write"],
  },
  responses: {
    client: "codex",
    name: "codex",
    args: (prompt) => ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt],
  },
};

let runs = 0;
/** How a program breaks at a server; `undefined` if it writes the file and reports it. */
async function breakOf(api: ApiName, url: string): Promise<string | undefined> {
  const program = programs[api];
  const client = program && clients[program.name];
  if (!program || !client) throw new Error(`there is no program of ${api}`);
  const home = join(folder, `home${runs++}`);
  mkdirSync(home);
  const file = join(home, "hello.txt");
  const { env, args = [] } = client.setup({ url, key: "none", model: "m", contextWindow: 131_072 });
  // Nobody waits for further tries.
  const once = ["stream_max_retries", "request_max_retries"].flatMap((name) => [
    "-c",
    `model_providers.toolingua.${name}=0`,
  ]);
  const all = [
    ...args,
    ...(program.name === "codex" ? once : []),
    ...program.args(`Write for ${program.name}: ${file}`),
  ];
  const { PATH = "" } = process.env;
  const child = run(join(folder, "node_modules", ".bin", client.command), all, {
    ...{ cwd: home, timeout: 60_000 },
    env: { PATH, HOME: home, ...env, CLAUDE_CODE_MAX_RETRIES: "0" },
  });
  child.child.stdin?.end();
  const { stdout, stderr } = await child.catch((error: { stdout: string; stderr: string }) => error);
  if (!existsSync(file)) return `no file: ${`${stdout} ${stderr}`.slice(-200)}`;
  return stdout.includes("3 degrees") ? undefined : `no answer: ${`${stdout} ${stderr}`.slice(-200)}`;
}

describe.each(breakages.filter(({ asked, api }) => asked === "stream" && programs[api]))(
  "$title ($api)",
  ({ breaking, api }) => {
    test("breaks the program if and only if the doctor says so", async () => {
      const url = await brokenServer(breaking);
      const report = await examine({
        ...{ url, apis: [api], maxTokens: 256, timeout: 5000, patience: 300, signal: new AbortController().signal },
      });
      const said = report.checks.some(
        ({ status, breaks }) => status === "fault" && breaks.some(({ client }) => client === programs[api]?.client),
      );
      const streams: boolean[] = [];
      const watched = await brokenServer({
        ...breaking,
        request(body, answer, path) {
          streams.push(body.stream === true);
          breaking.request?.(body, answer, path);
        },
      });
      const how = await breakOf(api, watched);
      console.log(`${said ? "said" : "not said"}; seen: ${how ?? "works"}; streams: ${streams}`);
      expect(how !== undefined, how).toBe(said);
    });
  },
);

test.each(["messages", "responses"] as const)("a correct server of %s breaks none", async (api) => {
  expect(await breakOf(api, await brokenServer({}))).toBeUndefined();
});
