import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

// The packages as a user gets them: packed, unpacked into a folder of their own, loaded and type-checked from there.

const root = fileURLToPath(new URL("..", import.meta.url));
const packages = readdirSync(join(root, "packages"));
const manifests = new Map(packages.map((name) => [name, readJson(join(root, "packages", name, "package.json"))]));
const tsc = join(root, "node_modules", "typescript", "bin", "tsc");

/** Names that the documentation promises, by what is imported. */
const documented: Record<string, string[]> = {
  "@toolingua/core": [
    "parseReply",
    "createReplyParser",
    "renderPrompt",
    "generateWithTools",
    "defineProtocol",
    "getProtocol",
    "protocolForModel",
    "protocols",
    "renderChatPrompt",
    "completionModel",
  ],
  "@toolingua/core/adapters": ["adapterRules", "checkOptionNames", "onlyObjectIn"],
  "@toolingua/core/reply": [
    "parseReply",
    "createReplyParser",
    "collectReply",
    "defineProtocol",
    "untrustedTexts",
    "ProtocolError",
  ],
  "@toolingua/core/bodies": ["jsonBody", "jsonCallBody", "elementsBody", "yamlBody", "everyBody"],
  "@toolingua/core/protocols": ["protocols", "getProtocol", "protocolForModel"],
  "@toolingua/core/protocols/hermes": ["hermes"],
  "@toolingua/core/protocols/mistral": ["mistral", "mistralList"],
  "@toolingua/core/conversation": [
    "ToolConversation",
    "memoryStore",
    "readTriggers",
    "replay",
    "diffLogs",
    "ConversationConflictError",
    "DecisionError",
  ],
  "@toolingua/core/conversation/node": ["fileStore"],
  "@toolingua/pml": [
    "parsePml",
    "stringifyPml",
    "readPml",
    "prunePml",
    "pmlPrompt",
    "pmlTranscript",
    "toProvider",
    "renderHtml",
  ],
  "@toolingua/core/grammar": ["jsonSchemaToGbnf", "toolCallGrammar", "constraintFor", "toEbnf", "toLark"],
  "@toolingua/core/providers": [
    "openai",
    "openaiFunctions",
    "openaiResponses",
    "anthropic",
    "gemini",
    "providers",
    "formatJsonSchemaForProvider",
    "parseToolCallArguments",
    "validateArguments",
    "conversationToJson",
    "conversationFromJson",
    "conversationToYaml",
    "conversationFromYaml",
  ],
  "@toolingua/langchain": [
    "withToolCalling",
    "ToolCallingChatModel",
    "ToolCallOutputParser",
    "ToolCallMessageParser",
    "toToolDefinitions",
    "toLangChainTools",
    "fromLangChainTools",
  ],
  "@toolingua/llamaindex": ["withToolCalling", "ToolCallingLLM", "toLlamaIndexTools", "fromLlamaIndexTools"],
  "@toolingua/ai-sdk": ["withToolCalling", "toolCallingMiddleware", "toAiSdkTools", "fromAiSdkTools"],
  "@toolingua/schema-from-types": ["toolsFromFiles", "jsonSchemaFromFunction", "SchemaFromTypesError"],
  "@toolingua/tools": ["tool", "BaseTool", "ToolSpec", "toolsOf", "defineTool", "ToolFailure"],
  "@toolingua/logit-mask": ["LogitMasks", "LogitMaskError", "readVocabulary"],
  "@toolingua/openapi": ["openApiTools", "OpenApiCallError", "OpenApiDocumentError"],
  "@toolingua/endpoints": ["chatEndpoint", "completionEndpoint", "EndpointError"],
  "@toolingua/gateway": ["createGateway", "serve", "GatewayConfigError"],
  "@toolingua/mcp": ["connectMcp", "McpServerError", "createMcpServer", "createMcpHandler", "serveStdio"],
  "@toolingua/langchain/middleware": ["toolCallingMiddleware"],
  "@toolingua/llama-cpp": ["LlamaCppEngine", "resolveModel", "writeTinyModel"],
  "@toolingua/llama-cpp/ai-sdk": ["EmbeddedChatModel"],
  "@toolingua/llama-cpp/langchain": ["EmbeddedChatModel"],
  "@toolingua/llama-cpp/llamaindex": ["EmbeddedLLM"],
};

const consumer = realpathSync(mkdtempSync(join(tmpdir(), "toolingua-consumer-")));
const packed = new Map<string, string[]>();
const unpackedBytes = new Map<string, number>();

let asEsm: Map<string, Loaded>;
let asCommonJs: Map<string, Loaded>;

beforeAll(() => {
  const folders = packages.map((name) => join(root, "packages", name));
  if (!folders.every((folder) => existsSync(join(folder, "dist", ".tsbuildinfo"))))
    throw new Error("Build first: npm run build");
  const tarballs = JSON.parse(
    run("npm", ["pack", "--json", "--silent", "--pack-destination", consumer, ...folders], root),
  ) as { name: string; filename: string; files: { path: string }[]; unpackedSize: number }[];
  for (const name of packages) {
    const { filename, files, unpackedSize } = tarballs.find((one) => one.name === manifests.get(name)!.name)!;
    unpackedBytes.set(name, unpackedSize);
    packed.set(name, files.map(({ path }) => path).sort());
    const target = join(consumer, "node_modules", manifests.get(name)!.name);
    mkdirSync(target, { recursive: true });
    run("tar", ["-xzf", join(consumer, filename), "-C", target, "--strip-components=1"], consumer);
    for (const dependency of thirdParty(name))
      link(join(root, "packages", name, "node_modules", dependency), dependency);
  }
  link(join(root, "node_modules", "@types", "node"), "@types/node");
  asEsm = load("mjs", "await import(specifier)");
  asCommonJs = load("cjs", "require(specifier)", "require.resolve(specifier)");
}, 400_000);

afterAll(() => rmSync(consumer, { recursive: true, force: true }));

describe.each(packages)("the tarball of packages/%s", (name) => {
  test("contains the build, a licence and no development files", () => {
    const files = packed.get(name)!;
    expect(files).toContain("LICENSE");
    expect(files).toContain("README.md");
    const allowed =
      /^(bin\/.+\.js|dist\/.+\.(js|d\.ts)|dist\/cjs\/package\.json|dist\/bundle\/(NOTICES\.txt|yaml\.cjs)|LICENSE|README\.md|CHANGELOG\.md|package\.json|native\.c?js|native\.d\.cts|pml\.rng)$/;
    expect(files.filter((file) => !allowed.test(file) || /\.(test|bench)\./.test(file))).toEqual([]);
  });

  test("has keywords, a description and a changelog", () => {
    const { keywords = [], description = "", files = [] } = manifests.get(name)!;
    expect(keywords).toEqual(expect.arrayContaining(["tool-calling", "function-calling", "llm"]));
    expect(new Set(keywords).size).toBe(keywords.length);
    expect(description.length).toBeGreaterThan(20);
    expect(files).toContain("CHANGELOG.md");
  });

  test("is small: no source maps, at most 8.6 MB unpacked", () => {
    expect(packed.get(name)!.filter((file) => file.endsWith(".map"))).toEqual([]);
    expect(unpackedBytes.get(name)).toBeLessThan(8_600_000);
  });

  test("names only files that it contains", () => {
    const { exports, bin } = manifests.get(name)!;
    const named = [...JSON.stringify([exports, bin]).matchAll(/"\.\/([^"]+\.[^"]+)"/g)].map((match) => match[1]!);
    const held = (file: string) => {
      const [before = "", after] = file.split("*");
      if (after === undefined) return file === "package.json" || packed.get(name)!.includes(file);
      return packed.get(name)!.some((path) => path.startsWith(before) && path.endsWith(after));
    };
    expect(named.filter((file) => !held(file))).toEqual([]);
  });
});

test("the commands of packages that others install are there before the build", () => {
  const installed = [...manifests.values()].flatMap((one) =>
    Object.keys({ ...one.dependencies, ...one.devDependencies }),
  );
  const commands = packages.flatMap((name) => {
    const { name: full, bin = {} } = manifests.get(name)!;
    return installed.includes(full) ? Object.values(bin).map((file) => posix.join("packages", name, file)) : [];
  });
  expect(commands.length).toBeGreaterThan(0);
  const kept = run("git", ["ls-files", "--", ...commands], root).split("\n");
  expect(commands.filter((file) => !kept.includes(file))).toEqual([]);
});

describe.each(Object.entries(documented))("%s", (specifier, names) => {
  test("loads as an ES module, with the documented exports", () => {
    expect(asEsm.get(specifier)).toEqual({ names: expect.arrayContaining(names), unnamed: expect.any(Array) });
  });

  test("loads as CommonJS, with the same exports", () => {
    const path = expect.stringMatching(/[\\/]dist[\\/]cjs[\\/]/);
    expect(asCommonJs.get(specifier)).toEqual({ ...asEsm.get(specifier), path });
  });

  test("has errors that keep their names when an application is minified", () => {
    expect(asEsm.get(specifier)?.unnamed).toEqual([]);
  });
});

test("Node.js loads the core's bundle, which has the same exports as the modules, and one copy of each class", () => {
  const core = manifests.get("core")!;
  const targets = Object.values(core.exports) as ({ import?: { node: string; default: string } } | string | null)[];
  const entries = targets.flatMap((target) => (typeof target === "object" && target?.import ? [target.import] : []));
  expect(entries.length).toBeGreaterThan(8);
  for (const { node, default: module } of entries) expect(node).toBe(module.replace("./dist/", "./dist/bundle/"));
  const at = (path = "") => pathToFileURL(join(consumer, "node_modules", core.name, path.replace("*", "hermes"))).href;
  writeFileSync(
    join(consumer, "bundled.mjs"),
    `
const names = async (specifier) => Object.keys(await import(specifier)).sort().join();
const pairs = ${JSON.stringify(entries.map(({ node, default: module }) => [at(node), at(module)]))};
const differ = [];
for (const [bundled, module] of pairs) if ((await names(bundled)) !== (await names(module))) differ.push(module);
const { OptionsError } = await import("${core.name}");
const isOne = OptionsError === (await import("${core.name}/reply")).OptionsError;
console.log(JSON.stringify({ main: import.meta.resolve("${core.name}"), differ, isOne }));
`,
  );
  const loaded: unknown = JSON.parse(run(process.execPath, [join(consumer, "bundled.mjs")], consumer));
  expect(loaded).toEqual({ main: at("dist/bundle/index.js"), differ: [], isOne: true });
});

describe("the types", () => {
  const program = `
import { parseReply, type ToolDefinition } from "@toolingua/core";
import { toolCallGrammar } from "@toolingua/core/grammar";
import { hermes } from "@toolingua/core/protocols/hermes";
import { parseReply as parseLean } from "@toolingua/core/reply";
import { anthropic, type AnthropicRequest } from "@toolingua/core/providers";
import { toAiSdkTools, withToolCalling as forAiSdk } from "@toolingua/ai-sdk";
import { toLangChainTools, withToolCalling } from "@toolingua/langchain";
import { connectMcp, createMcpHandler, McpServerError } from "@toolingua/mcp";
import { openApiTools } from "@toolingua/openapi";
import { type LlamaCppEngine, resolveModel } from "@toolingua/llama-cpp";
import { EmbeddedChatModel as AiSdkModel } from "@toolingua/llama-cpp/ai-sdk";
import { EmbeddedChatModel } from "@toolingua/llama-cpp/langchain";
const tools: ToolDefinition[] = [{ name: "now", parameters: { type: "object" } }];
export const name: string | undefined = parseReply("", { tools }).toolCalls[0]?.name;
export const lean: string | undefined = parseLean("", { tools, protocol: hermes }).toolCalls[0]?.name;
export const wrap = (model: EmbeddedChatModel) => withToolCalling(model).bindTools([]);
export const version: "v3" = forAiSdk(new AiSdkModel()).specificationVersion;
export const kit = toAiSdkTools([]);
export const path: (...args: Parameters<typeof resolveModel>) => ReturnType<typeof resolveModel> = resolveModel;
export type Engine = LlamaCppEngine;
export const mcp = connectMcp({ one: { command: "x" }, two: { url: "http://x" } }).then(toLangChainTools);
export const api = openApiTools("api.yaml").then((all) => createMcpHandler(all, { name: "api", version: "1" }));
export const code: McpServerError["code"] = "timeout";
export const core: AnthropicRequest = anthropic.toRequest({ messages: [], tools }).value;
export { toolCallGrammar };
// @ts-expect-error: a text, not a number. Without types everything would pass.
parseReply(1);
`;

  test.each(["mts", "cts"])("resolve for a consumer in .%s under NodeNext", (extension) => {
    writeFileSync(join(consumer, `consumer.${extension}`), program);
    check(`consumer.${extension}`, "--skipLibCheck", "--types", "node");
  });

  test.each(["standard", "legacy"])("let tool() decorate methods by the %s rules", (rules) => {
    const schema = '{ type: "object", properties: { city: { type: "string" } }, required: ["city"] }';
    const program = `
import { tool, ToolSpec } from "@toolingua/tools";
export class Weather extends ToolSpec {
  @tool({ description: "The weather", schema: ${schema} })
  forecast({ city }: { city: string }) { return city; }
  // @ts-expect-error: the schema gives a string.
  @tool({ description: "The weather", schema: ${schema} })
  wrong({ city }: { city: number }) { return city; }
}
`;
    writeFileSync(join(consumer, `${rules}.mts`), program);
    check(`${rules}.mts`, "--lib", "ES2022,DOM", ...(rules === "legacy" ? ["--experimentalDecorators"] : []));
  });

  test("of the core need no other library and no lenient options", () => {
    const lines = program.split("\n").filter((line) => /core|tools|parseReply|error|toolCallGrammar/.test(line));
    writeFileSync(join(consumer, "core.mts"), lines.join("\n"));
    check("core.mts", "--skipLibCheck", "false", "--lib", "ES2022,DOM", "--exactOptionalPropertyTypes");
  });

  function check(file: string, ...options: string[]) {
    const how = [
      "--noEmit",
      "--strict",
      "--target",
      "ES2022",
      "--module",
      "NodeNext",
      "--moduleResolution",
      "NodeNext",
    ];
    expect(run(process.execPath, [tsc, ...how, ...options, file], consumer)).toBe("");
  }
});

/** What an entry is once it is loaded: its exports, and those errors among them that do not state their names. */
interface Loaded {
  names?: string[];
  unnamed?: string[];
  path?: string;
  error?: string;
}

/** Loads all documented entries in one process: by entry, what it is then, or why it does not load. */
function load(extension: string, how: string, path = "undefined"): Map<string, Loaded> {
  const file = join(consumer, `load.${extension}`);
  writeFileSync(
    file,
    `
const isError = (one) => typeof one === "function" && one.prototype instanceof Error;
// A name that a class states itself is enumerable; the one that it has from its identifier is not.
const states = (one, name) => one.name === name && Object.keys(one).includes("name");
const main = async () => {
  for (const specifier of ${JSON.stringify(Object.keys(documented))}) {
    let loaded;
    try {
      const m = ${how};
      const names = Object.keys(m).sort();
      const unnamed = names.filter((name) => isError(m[name]) && !states(m[name], name));
      loaded = { names, unnamed, path: ${path} };
    } catch (error) {
      loaded = { error: error.stack };
    }
    console.log(JSON.stringify([specifier, loaded]));
  }
};
main();
`,
  );
  const lines = run(process.execPath, [file], consumer).split("\n");
  return new Map(lines.map((line) => JSON.parse(line) as [string, Loaded]));
}

/** The output, trimmed. A failure's message holds what the command wrote. */
function run(command: string, args: string[], cwd: string): string {
  try {
    const windows = process.platform === "win32" && command === "npm";
    return execFileSync(command, args, { cwd, encoding: "utf8", stdio: "pipe", shell: windows }).trim();
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`);
  }
}

function thirdParty(name: string): string[] {
  const { dependencies, peerDependencies } = manifests.get(name)!;
  return Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (dependency) => !dependency.startsWith("@toolingua/"),
  );
}

function link(from: string, name: string) {
  const to = join(consumer, "node_modules", name);
  mkdirSync(dirname(to), { recursive: true });
  if (!existsSync(to)) symlinkSync(realpathSync(from), to, "junction");
}

interface Manifest {
  name: string;
  description?: string;
  keywords?: string[];
  files?: string[];
  bin?: Record<string, string>;
  exports: Record<string, unknown>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

function readJson(path: string): Manifest {
  return JSON.parse(readFileSync(path, "utf8")) as Manifest;
}
