// A project outside of this repository: the packages as tarballs, third parties from the registry, installed by npm, pnpm, yarn
// and bun. In each the packages run as ES modules and as CommonJS, and compile under `strict` with `skipLibCheck: false`.
// Prints how long an install takes and how large it is.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/lib/run.mjs";

const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const manifestOf = (name) => JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
/** The command line is tried by `npm run verify -- cli-tarball`. */
const packages = readdirSync(join(root, "packages")).filter((name) => name !== "cli");

/** The frameworks, at the versions that the packages are tested with. */
const third = Object.fromEntries(
  [
    ["langchain", ["@langchain/core", "langchain", "zod"]],
    ["llamaindex", ["@llamaindex/core", "@llamaindex/workflow"]],
    ["ai-sdk", ["@ai-sdk/provider", "ai"]],
    ["core", []],
  ].flatMap(([name, wanted]) => wanted.map((one) => [one, manifestOf(name).devDependencies[one]])),
);

/** How each package manager installs, and where it takes it from that our packages depend on each other. */
const managers = {
  npm: { install: ["npm", "install", "--no-audit", "--no-fund"], overriding: () => ({}) },
  pnpm: {
    install: ["npx", "-y", packageManager, "install", "--ignore-workspace", "--no-frozen-lockfile"],
    overriding: (ours) => ({ pnpm: { overrides: ours } }),
  },
  yarn: {
    install: ["npx", "-y", "yarn@1.22.22", "install", "--non-interactive", "--ignore-scripts"],
    overriding: (ours) => ({ resolutions: ours }),
  },
  bun: { install: ["npx", "-y", "bun@1.4.5", "install"], overriding: (ours) => ({ overrides: ours }) },
};

const folder = mkdtempSync(join(tmpdir(), "toolingua-blank-"));
let failed = false;

/** Installs, runs and compiles in a project of its own; the cells of the table. */
function tried(manager, { install, overriding }, ours) {
  const project = join(folder, manager);
  mkdirSync(project);
  const dependencies = { ...ours, ...third, typescript: "5.9.3", "@types/node": "20.19.43" };
  const manifest = { name: "blank", private: true, version: "1.0.0", dependencies, ...overriding(ours) };
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest, undefined, 2));
  const started = performance.now();
  must(install, project);
  const seconds = (performance.now() - started) / 1000;
  const megabytes = (path) => (sizeOf(join(project, path)) / 1e6).toFixed(1);

  writeFileSync(join(project, "use.mjs"), `${imports("import", packages)}\n${use}`);
  writeFileSync(join(project, "use.cjs"), `${imports("require", packages)}\n(async () => {${use}})();`);
  writeFileSync(join(project, "use.ts"), typed);
  const compilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    target: "ES2022",
    lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    module: "NodeNext",
    types: ["node"],
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
  const expected = "42 add 3 42";
  const runs = ["use.mjs", "use.cjs"].map((file) => {
    const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd: project, encoding: "utf8" });
    return stdout.trim() === expected ? "yes" : wrong(`${manager} ${file}: ${stdout}${stderr}`);
  });
  const tsc = join("node_modules", "typescript", "bin", "tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", "."], { cwd: project, encoding: "utf8" });
  const lines = stdout.split("\n").filter((line) => /error TS/.test(line));
  const own = lines.filter((line) => /^use\.ts|@toolingua/.test(line));
  const others = lines.length - own.length;
  const types = own.length > 0 ? wrong(own.join("\n")) : others > 0 ? `yes; ${others} errors in others' types` : "yes";
  return [seconds.toFixed(0), megabytes("node_modules"), megabytes("node_modules/@toolingua"), ...runs, types];
}

function imports(kind, names) {
  const bring = (what, from) =>
    kind === "import"
      ? `import ${what} from "${from}";`
      : `const ${what.replaceAll(" as ", ": ")} = require("${from}");`;
  const loaded = names.map((name) =>
    kind === "import" ? `import "@toolingua/${name}";` : `require("@toolingua/${name}");`,
  );
  return [
    ...loaded,
    bring("{ parseReply }", "@toolingua/core"),
    bring("{ withToolCalling }", "@toolingua/langchain"),
    bring("{ withToolCalling as forLlm, fromLlamaIndexTools }", "@toolingua/llamaindex"),
    bring("{ toAiSdkTools }", "@toolingua/ai-sdk"),
    bring("{ defineTool }", "@toolingua/tools"),
    bring("{ FakeListChatModel }", "@langchain/core/utils/testing"),
    bring("{ createAgent, tool }", "langchain"),
    bring("{ z }", "zod"),
  ].join("\n");
}

/** An agent of LangChain, a reply, a tool for the AI SDK. */
const use = `
const add = tool(({ a, b }) => String(a + b), {
  name: "add",
  description: "Adds",
  schema: z.object({ a: z.number(), b: z.number() }),
});
const responses = ["<add><a>17</a><b>25</b></add>", "42"];
const model = withToolCalling(new FakeListChatModel({ responses }), { protocol: "xml" });
const { messages } = await createAgent({ model, tools: [add] }).invoke({ messages: "17 + 25?" });
const [call] = parseReply('<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>', { protocol: "hermes" }).toolCalls;
const sum = defineTool("sum").description("Adds 2").parameter("a", { type: "number" }, { required: true }).execute(({ a }) => a + 2);
const three = await toAiSdkTools([sum]).sum.execute({ a: 1 }, { toolCallId: "1", messages: [] });
console.log(messages.at(-1).text, call.name, three, typeof forLlm === "function" && messages.at(-2).text);
`;

const typed = `
import { parseReply } from "@toolingua/core";
import { ToolConversation } from "@toolingua/core/conversation";
import { toolCallGrammar } from "@toolingua/core/grammar";
import { openai } from "@toolingua/core/providers";
import { chatEndpoint } from "@toolingua/endpoints";
import { createGateway } from "@toolingua/gateway";
import { withToolCalling } from "@toolingua/langchain";
import { withToolCalling as forLlm } from "@toolingua/llamaindex";
import { withToolCalling as forSdk } from "@toolingua/ai-sdk";
import { LogitMasks } from "@toolingua/logit-mask";
import { connectMcp } from "@toolingua/mcp";
import { openApiTools } from "@toolingua/openapi";
import { parsePml } from "@toolingua/pml";
import { toolsFromFiles } from "@toolingua/schema-from-types";
import { tool } from "@toolingua/tools";
import { z } from "zod";

const shout = tool("shout", { description: "Shouts", schema: z.object({ text: z.string() }) }, ({ text }) => text.toUpperCase());
const model = chatEndpoint({ baseURL: "http://localhost:1/v1", model: "m" });
export const conversation = new ToolConversation({ model, tools: [shout] });
export const name: string | undefined = parseReply("", { tools: [shout] }).toolCalls[0]?.name;
export const grammar: string = toolCallGrammar({ tools: [shout], protocol: "hermes", toolChoice: "auto" }).grammar;
export const request = openai.toRequest({ messages: [], tools: [shout] }).value.tools?.[0]?.function.name;
export const all = [createGateway, withToolCalling, forLlm, forSdk, LogitMasks, connectMcp, openApiTools, parsePml, toolsFromFiles];
// @ts-expect-error: a text, not a number.
parseReply(1);
`;

function wrong(why) {
  failed = true;
  console.error(why);
  return "**no**";
}

function must([command, ...args], cwd) {
  const shell = process.platform === "win32";
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", shell });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} in ${cwd} failed:\n${stdout}${stderr}`);
}

/** Bytes of all files in a folder; what links lead to within it counts once. */
function sizeOf(path) {
  const seen = new Set();
  const left = [path];
  let bytes = 0;
  for (let next = left.pop(); next; next = left.pop()) {
    const { dev, ino, size } = statSync(next);
    if (seen.has(`${dev}:${ino}`)) continue;
    seen.add(`${dev}:${ino}`);
    const isFolder = statSync(next).isDirectory();
    if (isFolder) left.push(...readdirSync(next).map((name) => join(next, name)));
    else bytes += size;
  }
  return bytes;
}

try {
  const tarballs = join(folder, "tarballs");
  mkdirSync(tarballs);
  // pnpm writes versions where npm would leave `workspace:`.
  must(["npx", "-y", packageManager, "-r", "--filter", "./packages/*", "pack", "--pack-destination", tarballs], root);
  const files = readdirSync(tarballs);
  const ours = Object.fromEntries(
    packages.map((name) => {
      const file = files.find((one) => one.startsWith(`toolingua-${name}-${manifestOf(name).version}`));
      return [`@toolingua/${name}`, `file:${join(tarballs, file)}`];
    }),
  );
  console.log(
    "| package manager | install, seconds | node_modules, MB | our packages, MB | ES modules | CommonJS | strict types |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- |");
  for (const [manager, how] of Object.entries(managers)) {
    const cells = tried(manager, how, ours);
    console.log(`| ${[manager, ...cells].join(" | ")} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failed) process.exitCode = 1;
