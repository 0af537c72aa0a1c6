import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

// Who may import whom (docs/architecture.md).

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * For each room of the core's source, which other rooms it may import. A folder without a room belongs to the one around it.
 */
const rooms: Record<string, readonly string[]> = {
  common: [],
  options: ["common"],
  schema: ["common"],
  syntax: ["common", "schema"],
  "tool-text": ["common", "schema"],
  notation: ["common", "schema"],
  "reply/arguments": ["common", "schema", "syntax", "notation"],
  "reply/untrusted": ["common"],
  "reply/output": ["common", "schema", "notation", "reply/arguments", "reply/untrusted"],
  "reply/forms": ["common", "schema", "syntax", "notation", "reply/arguments"],
  "reply/readers": ["common", "schema", "syntax", "notation", "reply/arguments", "reply/output", "reply/forms"],
  "reply/calls": [
    "common",
    "schema",
    "syntax",
    "notation",
    "reply/arguments",
    "reply/untrusted",
    "reply/output",
    "reply/forms",
    "reply/readers",
  ],
  "reply/opening": [
    "common",
    "schema",
    "syntax",
    "notation",
    "reply/arguments",
    "reply/output",
    "reply/forms",
    "reply/readers",
    "reply/calls",
  ],
  reply: [
    ...["common", "schema", "syntax", "notation", "reply/arguments", "reply/untrusted", "reply/output"],
    ...["reply/forms", "reply/readers", "reply/calls", "reply/opening"],
  ],
  bodies: [
    ...["common", "schema", "syntax", "tool-text", "notation"],
    ...["reply/arguments", "reply/forms", "reply/readers", "reply/opening"],
  ],
  protocols: ["common", "schema", "syntax", "tool-text", "bodies"],
  full: ["common", "reply", "reply/untrusted", "bodies", "protocols"],
  grammar: ["common", "options", "schema", "syntax", "notation", "bodies", "protocols"],
  prompt: ["common", "options", "schema", "syntax", "tool-text", "protocols", "grammar"],
  turn: [
    ...["common", "options", "schema", "syntax", "tool-text", "notation", "protocols", "grammar", "prompt"],
    ...["reply", "reply/arguments", "reply/untrusted", "full"],
  ],
  adapters: ["common", "notation", "protocols", "prompt", "full", "turn"],
  conversation: ["common", "options", "schema", "notation", "prompt", "reply/arguments", "turn"],
  chat: ["common", "options", "schema", "tool-text", "protocols", "prompt"],
  providers: ["common", "options", "schema", "notation", "reply/arguments"],
};

/** The files beside the rooms that may import rooms. The others (types.ts, errors.ts) import none. */
const besides: Record<string, readonly string[]> = {
  "check-argument.ts": ["common"],
  "check-messages.ts": ["common"],
  "define-protocol.ts": ["common"],
  "errors.ts": ["common"],
  "body-kinds.ts": ["syntax", "reply/readers"],
  "protocol.ts": ["syntax", "reply/readers"],
  "registry.ts": ["common"],
  "stop-sequences.ts": ["common"],
  "render.ts": ["schema", "syntax", "tool-text", "reply/readers"],
};

/** The files that packages are entered by. They may import all, and nothing imports them. */
const entries = ["index.ts", "adapters/index.ts", "parse.ts", "protocol-factories.ts", "reply/index.ts"];

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
  cli: ["core", "ai-sdk", "endpoints", "gateway", "llama-cpp", "mcp", "openapi", "pml", "schema-from-types", "tools"],
};

describe("the layers of the core", () => {
  const source = join(root, "packages", "core", "src");
  const graph = importsIn(source);
  const files = [...graph.keys()];
  const mayImport = (layer: string) => rooms[layer] ?? besides[layer] ?? [];

  /** The room of a file, or the file itself if it is in none. */
  function layerOf(file: string): string {
    for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) if (folder in rooms) return folder;
    return file;
  }

  /** The rooms that a layer imports, also through others. */
  function below(layer: string, known = new Set<string>()): ReadonlySet<string> {
    const beside = (graph.get(layer) ?? []).filter((target) => layerOf(target) === target);
    for (const next of [...mayImport(layer), ...beside]) {
      if (known.has(next)) continue;
      known.add(next);
      below(next, known);
    }
    return new Set([...known].filter((one) => one in rooms));
  }

  test("each folder has a room, and each room files", () => {
    const found = new Set(files.filter((file) => file.includes("/")).map(layerOf));
    expect([...found].sort(), "say in test/layers.test.ts what a folder may import").toEqual(Object.keys(rooms).sort());
  });

  test("no room is above itself", () => {
    expect(Object.keys(rooms).filter((room) => below(room).has(room))).toEqual([]);
  });

  test.each([...new Set(files.map(layerOf))])("%s imports only lower layers, and uses what it may import", (layer) => {
    const lower = new Set([layer, ...below(layer)]);
    const isAllowed = (target: string) => {
      const to = layerOf(target);
      if (entries.includes(target)) return false;
      if (to === layer || mayImport(layer).includes(to)) return true;
      return to === target && [...below(to)].every((room) => lower.has(room));
    };
    const own = files.filter((file) => layerOf(file) === layer && !entries.includes(file));
    const used = own.flatMap((file) => (graph.get(file) ?? []).map((target) => ({ file, target })));
    expect(
      used.filter(({ target }) => !isAllowed(target)).map(({ file, target }) => `${file} imports ${target}`),
    ).toEqual([]);
    const targets = new Set(
      used.flatMap(({ target }) => [layerOf(target), ...(layerOf(target) === target ? below(target) : [])]),
    );
    expect(
      mayImport(layer).filter((room) => !targets.has(room)),
      "is not imported",
    ).toEqual([]);
  });
});

describe("the packages", () => {
  const names = readdirSync(join(root, "packages"));

  test.each(names)("no file of %s imports itself through others, not even for a type", (name) => {
    expect(circlesIn(importsIn(join(root, "packages", name, "src")))).toEqual([]);
  });

  test.each(names)("%s imports only its allowed packages", (name) => {
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

/** For each source file of a folder, the files of the folder that it imports; relative, with slashes. */
function importsIn(folder: string): ReadonlyMap<string, readonly string[]> {
  const within = (file: string) => relative(folder, file).split(sep).join("/");
  return new Map(
    sourceFiles(folder).map((file) => [
      within(file),
      imports(file)
        .filter((target) => target.startsWith("."))
        .map((target) => within(join(dirname(file), target)).replace(/\.js$/, ".ts")),
    ]),
  );
}

/** The circles in a graph, each once: as the way from a file to itself. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]) => {
    const begin = way.indexOf(file);
    if (begin >= 0) circles.push([...way.slice(begin), file].join(" → "));
    if (begin >= 0 || done.has(file)) return;
    for (const target of graph.get(file) ?? []) visit(target, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles;
}

/** What a source file imports or re-exports, types too. */
function imports(file: string): string[] {
  const statements = readFileSync(file, "utf8").matchAll(
    /^\s*(?:import|export)\s(?:[^;"']*\sfrom\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm,
  );
  return [...statements].map(([, declared, dynamic]) => (declared ?? dynamic)!);
}
