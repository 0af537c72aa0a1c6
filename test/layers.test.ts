import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

// Who may import whom (docs/architecture.md). Cycles between files are found by Biome's noImportCycles.

const root = fileURLToPath(new URL("..", import.meta.url));

/** For each folder of the core's source, what else it may import. A file at the top (types.ts, errors.ts) is free to all. */
const core: Record<string, string[]> = {
  options: [],
  schema: [],
  syntax: ["schema"],
  "tool-text": ["schema"],
  reply: ["schema", "syntax"],
  bodies: ["schema", "syntax", "tool-text", "reply"],
  protocols: ["schema", "syntax", "tool-text", "bodies"],
  full: ["reply", "bodies", "protocols"],
  grammar: ["options", "schema", "syntax", "bodies", "protocols"],
  prompt: ["options", "schema", "syntax", "tool-text", "protocols", "grammar"],
  turn: ["options", "schema", "syntax", "tool-text", "protocols", "grammar", "prompt", "reply", "full"],
  conversation: ["options", "schema", "prompt", "reply", "turn"],
  chat: ["tool-text", "protocols", "prompt"],
  providers: ["schema", "reply"],
};

/** The one part of the core that runs on Node.js only, an entry of its own. */
const onNode = join("packages", "core", "src", "conversation", "node");

/** For each package, the packages of the workspace it may import. */
const packages: Record<string, string[]> = {
  core: [],
  "ai-sdk": ["core"],
  langchain: ["core"],
  "llama-cpp": ["core"],
  llamaindex: ["core"],
  tools: ["core"],
  mcp: ["core"],
  openapi: ["core"],
  pml: ["core"],
  endpoints: ["core"],
  gateway: ["core", "endpoints", "llama-cpp", "pml"],
  "logit-mask": ["core"],
  "schema-from-types": ["core"],
  cli: ["core", "endpoints", "gateway", "llama-cpp", "mcp", "openapi", "pml", "schema-from-types", "tools"],
};

describe("the layers of the core", () => {
  const source = join(root, "packages", "core", "src");
  const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());

  test.each(folders.map(({ name }) => name))("%s imports only lower layers", (folder) => {
    const allowed = core[folder];
    expect(allowed, `say in test/layers.test.ts what ${folder} may import`).toBeDefined();
    const wrong = sourceFiles(join(source, folder)).flatMap((file) =>
      imports(file)
        .filter((target) => target.startsWith("."))
        .map((target) =>
          relative(source, join(dirname(file), target))
            .split(sep)
            .join("/"),
        )
        .filter((path) => path.includes("/") && ![folder, ...allowed!].some((one) => path.startsWith(one)))
        .map((path) => `${relative(root, file)} imports ${path}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe("the packages", () => {
  test.each(readdirSync(join(root, "packages")))("%s imports only its allowed packages", (name) => {
    const allowed = packages[name];
    expect(allowed, `say in test/layers.test.ts what ${name} may import`).toBeDefined();
    const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")) as {
      dependencies?: Record<string, string>;
      peerDependencies?: Record<string, string>;
    };
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    const imported = sourceFiles(join(root, "packages", name, "src")).flatMap(imports);
    const others = [...declared, ...imported].flatMap((target) => /^@toolingua\/([^/]+)/.exec(target)?.[1] ?? []);
    expect([...new Set(others)].filter((other) => !allowed!.includes(other))).toEqual([]);
  });

  test("the core runs anywhere: no framework, no engine, nothing of Node", () => {
    const anywhere = sourceFiles(join(root, "packages", "core", "src")).filter((file) => !file.includes(onNode));
    const used = new Set(anywhere.flatMap(imports));
    const outside = [...used].filter((target) => !target.startsWith(".")).sort();
    expect(outside.filter((target) => target.startsWith("node:"))).toEqual([]);
    const { dependencies } = JSON.parse(readFileSync(join(root, "packages", "core", "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    const declared = Object.keys(dependencies);
    expect(
      outside.filter((target) => !declared.some((name) => target === name || target.startsWith(`${name}/`))),
    ).toEqual([]);
    expect(declared.filter((name) => /langchain|llama|openai|anthropic/.test(name))).toEqual([]);
  });
});

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name) && !/\.(test|bench)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** What a source file imports or re-exports, types too. */
function imports(file: string): string[] {
  const statements = readFileSync(file, "utf8").matchAll(
    /^\s*(?:import|export)\s(?:[^;"']*\sfrom\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm,
  );
  return [...statements].map(([, declared, dynamic]) => (declared ?? dynamic)!);
}
