import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { scratchFile } from "./support/chat-runs.js";
import { command, inPipe, inTerminal } from "./support/processes.js";

// The code of a module runs while it loads: whatever it does, the command does not end without a word.

const written = (name: string, content: string | Uint8Array): string => {
  const path = scratchFile(name);
  writeFileSync(path, content);
  return path;
};

/** A module that still loads for a while. */
const rest = "await new Promise((done) => setTimeout(done, 300));";

test.each([
  ["ends the process.ts", "process.exit(0);", "it calls process.exit(0) while it loads"],
  ["ends the process.mjs", "process.exit(3);", "it calls process.exit(3) while it loads"],
  ["ends the process.cjs", "process.exit();", "it calls process.exit() while it loads"],
  ["ends the process later.mjs", `setTimeout(() => process.exit(0), 20); ${rest}`, "it calls process.exit(0) while"],
  ["ends the process later.cjs", `(async () => process.exit(4))(); module.exports = {};`, "it calls process.exit(4)"],
  ["really ends the process.mjs", "process.reallyExit(0);", "it calls process.reallyExit(0) while it loads"],
  ["kept the way to end.mjs", `const { exit } = process; setTimeout(exit, 20, 5); ${rest}`, "it calls process.exit(5)"],
  [
    "ends the process on a signal.mjs",
    `process.on("SIGINT", () => process.exit(130)); setTimeout(() => process.kill(process.pid, "SIGINT"), 20); ${rest}`,
    "it calls process.exit(130) while it loads",
  ],
  [
    "ends the process again and again.mjs",
    `setInterval(() => { try { process.exit(0); } catch { process.exit(0); } }, 1); ${rest}`,
    "it calls process.exit(0) while it loads",
  ],
  ["waits for nothing.ts", "await new Promise(() => {}); export const a = 1;", "it never finishes loading"],
  ["waits for nothing.mjs", "await new Promise(() => {}); export const a = 1;", "it never finishes loading"],
  ["has a mistake.ts", "export const a: number = ;", /has a mistake\.ts:1:25: Unexpected token\n$/],
  ["needs a module.mjs", 'import "not-installed-x";', /could not be run: Cannot find module 'not-installed-x'\n$/],
  ["is UTF-16.ts", Buffer.from("\ufeffexport const a = 1;", "utf16le"), "it is encoded in UTF-16. Save it as UTF-8."],
])("a module that %s is an error", async (name, content, why) => {
  const { code, stdout, stderr } = await inPipe(["schema", written(name, content)]);
  expect([code, stdout]).toEqual([70, ""]);
  expect(stderr).toMatch(/^error: .* could not be run: /);
  expect(stderr).toMatch(why);
});

test("a reader that stops while a module loads ends the command as always", async () => {
  const path = written("writes.mjs", `setInterval(() => process.stdout.write("line\\n"), 20); ${rest}`);
  const child = spawn(process.execPath, [command, "schema", path], { stdio: ["ignore", "pipe", "pipe"] });
  child.stderr.destroy();
  const [stdout, code] = await Promise.all([
    text(child.stdout),
    new Promise((resolve) => child.once("close", resolve)),
  ]);
  expect({ stdout, code }).toEqual({ stdout: "", code: 0 });
});

test.each([
  ["the console", "console.log('loading'); console.info('still');"],
  ["standard output", "process.stdout.write('loading\\n'); process.stdout.write('still\\n');"],
  [
    "an import of it",
    "import { stdout } from 'node:process'; import p from 'node:process'; stdout.write('loading\\n'); p.stdout.write('still\\n');",
  ],
])("what a module writes to %s goes to standard error, and the result alone to standard output", async (_, writes) => {
  const tool = "export const now = { name: 'now', execute() {} };";
  const path = written("loud.mjs", `${writes}\n${tool}`);
  const { code, stdout, stderr } = await inPipe(["parse", "--tools", path, "--json"], { stdin: "now()" });
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { toolCalls: [{ name: "now" }] }]);
  expect(stderr).toBe("loading\nstill\n");
});

test("a module that takes long is mentioned, and loaded", async () => {
  const tool = "export const slow = { name: 'slow', execute() {} };";
  const path = written("slow.mjs", `await new Promise((done) => setTimeout(done, 6000));\n${tool}`);
  const { code, stdout, stderr } = await inPipe(["schema", path]);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, [{ name: "slow" }]]);
  expect(stderr).toBe(`Waiting for ${path}: its code still runs while it loads.\n`);
});

test("in a terminal it is said that types are read, which takes seconds; in a pipe it is not", async () => {
  const argv = ["schema", "tools.ts"];
  expect((await inPipe(argv)).stderr).toBe("");
  if (process.platform === "win32") return;
  const { shown } = await inTerminal(argv);
  expect(stripVTControlCharacters(shown)).toMatch(/^Reading the types of \S*tools\.ts\.\r\n\[/);
});

/** The files of the command that a run loads, by their content. */
async function loadedBy(args: readonly string[], stdin: string): Promise<string> {
  const folder = dirname(scratchFile("coverage.json"));
  const { stderr } = await inPipe(args, { stdin, env: { NODE_V8_COVERAGE: folder } });
  expect(stderr).toBe("");
  const reports = readdirSync(folder).filter((file) => file.startsWith("coverage-"));
  const scripts = reports.flatMap((file) => JSON.parse(readFileSync(join(folder, file), "utf8")).result);
  const own = scripts.map(({ url }) => url).filter((url) => url.startsWith(new URL(".", pathToFileURL(command)).href));
  return own.map((url) => readFileSync(fileURLToPath(url), "utf8")).join("\n");
}

test.each([
  ["neither", "own.json", [{ name: "now", parameters: { type: "object" } }], "hermes", "Hi", false, false],
  [
    "the provider's form",
    "openai.json",
    [{ type: "function", function: { name: "now" } }],
    "hermes",
    "Hi",
    false,
    true,
  ],
  ["YAML", "own.json", [{ name: "now" }], "yaml", "<now>\nzone: UTC\n</now>", true, false],
])("parse loads the code for YAML and for providers' forms if it needs it: %s", async (...given) => {
  const [, file, tools, protocol, reply, yaml, forms] = given;
  const loaded = await loadedBy(
    ["parse", "--protocol", protocol, "--tools", written(file, JSON.stringify(tools))],
    reply,
  );
  expect(loaded).toContain("createReplyParser");
  expect([loaded.includes("Plain value cannot start with"), loaded.includes("functionCallingConfig")]).toEqual([
    yaml,
    forms,
  ]);
});
