import { spawnSync } from "node:child_process";
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
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

// Every block of TypeScript in the READMEs of the repository and its packages, and in docs/, is a module that compiles under
// `strict`, as it is written. A block runs in the test of its package and logs what its comment says, unless `no-run` follows `ts`:
// it needs a server or a model.

const root = fileURLToPath(new URL("..", import.meta.url));

/** What the text around a block says is there: a model, messages, a running server. */
const given: Record<string, string> = {
  core: `
import type { ChatMessage, TextModel, Tool } from "@toolingua/core";
declare global {
  const model: TextModel;
  const tools: Tool[];
  const messages: ChatMessage[];
}`,
  mcp: `
import type { JsonSchema, TextModel } from "@toolingua/core";
declare global {
  const model: TextModel;
  const servers: Record<string, { url: string }>;
  const askUser: (question: string, schema: JsonSchema | object | undefined) => Promise<Record<string, string> | undefined>;
}`,
  pml: `
import type { ChatMessage, TextModel, ToolDefinition } from "@toolingua/core";
import type { PmlDocument } from "@toolingua/pml";
declare global {
  const model: TextModel;
  const messages: ChatMessage[];
  const tools: ToolDefinition[];
  const document: PmlDocument;
}`,
  gateway: `
declare module "redis" {
  interface Client {
    connect(): Promise<Client>;
    get(key: string): Promise<string | null>;
    set(key: string, value: string, options: { EX: number }): Promise<unknown>;
    del(key: string): Promise<unknown>;
  }
  export function createClient(): Client;
}`,
};

interface Block {
  code: string;
  info: string;
  line: number;
}

/** Pages of docs/ whose blocks compile elsewhere than in core. */
const packageOf: Record<string, string> = {
  "ai-sdk.md": "ai-sdk",
  "langchain.md": "langchain",
  "mcp.md": "mcp",
  "pml.md": "pml",
  "running-the-gateway.md": "gateway",
  "tools.md": "tools",
};

/** Pages whose blocks are parts of files. */
const partsOfFiles = ["adding-a-protocol.md", "from-ai-sdk-tool-parser.md"];

/** A page, and the package where its blocks compile. */
const page = (readme: string, name: string) => ({ readme, folder: join(root, "packages", name), name });
const readmes = [
  // The front page shows LangChain first: it compiles and runs where that is installed.
  page("README.md", "langchain"),
  ...readdirSync(join(root, "packages")).map((name) => page(`packages/${name}/README.md`, name)),
  ...readdirSync(join(root, "docs"))
    .filter((file) => file.endsWith(".md") && !partsOfFiles.includes(file))
    .map((file) => page(`docs/${file}`, packageOf[file] ?? "core")),
];

function blocksOf(readme: string): Block[] {
  const text = readFileSync(join(root, readme), "utf8");
  return [...text.matchAll(/^```(ts\b.*)\n([\s\S]*?)^```$/gm)].map(({ 1: info = "", 2: code = "", index }) => ({
    code,
    info,
    line: text.slice(0, index).split("\n").length,
  }));
}

/** The packages that a block imports, of npm. */
const packagesOf = (code: string) =>
  [...code.matchAll(/ from "((?:@[\w.-]+\/)?[\w.-]+)/g)].flatMap(([, name = ""]) =>
    name.startsWith("node:") ? [] : [name],
  );

/** Makes a package that only another package of the repository has found by a project. */
function provide(name: string, folder: string, project: string): void {
  if (existsSync(join(folder, "node_modules", name)) || existsSync(join(project, "node_modules", name))) return;
  const places = readdirSync(join(root, "packages")).map((other) =>
    join(root, "packages", other, "node_modules", name),
  );
  const own = join(root, "packages", name.replace(/^@toolingua\//, ""));
  const from = [own, ...places].find((place) => existsSync(place));
  if (!from) return;
  const to = join(project, "node_modules", name);
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(realpathSync(from), to, "junction");
}

const written: string[] = [];
afterAll(() => {
  for (const folder of written) rmSync(folder, { recursive: true, force: true });
});

describe("the READMEs", () => {
  test("have only blocks that run or are marked as not running", () => {
    for (const { readme } of readmes) {
      for (const { code, info, line } of blocksOf(readme)) {
        const where = `${readme}:${line}`;
        expect(["ts", "ts no-run"], where).toContain(info);
        // A block that begins with the name of a file is that file, for the blocks below.
        if (info === "ts") expect(code, where).toMatch(/console\.log\(|^\/\/ [\w-]+\.ts\n/);
      }
    }
  });

  test("have blocks that compile, each by itself", () => {
    const projects = readmes.flatMap(({ readme, folder, name }) => {
      const blocks = blocksOf(readme);
      if (blocks.length === 0) return [];
      // Where the package's own dependencies are found.
      const project = mkdtempSync(join(folder, ".readme-"));
      written.push(project);
      const files = blocks.map(({ code, line }) => {
        const file = `${readme.replace(/\W/g, "-")}-${line}.ts`;
        writeFileSync(join(project, file), `${code}\nexport {};\n`);
        return file;
      });
      for (const name of blocks.flatMap(({ code }) => packagesOf(code))) provide(name, folder, project);
      const around = given[name];
      if (around) writeFileSync(join(project, "given.d.ts"), around);
      return [...files, ...(around ? ["given.d.ts"] : [])].map((file) => join(project, file));
    });
    expect(projects.length).toBeGreaterThan(40);
    const wrong = [...new Set(projects.map((file) => join(file, "..")))].flatMap((project) => {
      const files = projects.filter((file) => file.startsWith(project));
      const compilerOptions = {
        noEmit: true,
        composite: false,
        incremental: false,
        types: ["node"],
      };
      const config = { extends: join(root, "tsconfig.base.json"), files, compilerOptions };
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
      const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
      const { stdout } = spawnSync(process.execPath, [tsc, "-p", project], { cwd: root, encoding: "utf8" });
      return stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => relative(root, line));
    });
    expect(wrong.map((line) => line.replace(/^.*\.readme-\w+\//, ""))).toEqual([]);
  }, 300_000);

  test("have only links to files and headings that exist", () => {
    const pages = allPages();
    const dead = pages.flatMap((page) =>
      linksOf(page)
        .filter((link) => {
          const [path = "", heading] = decodeURI(link).split("#");
          const target = path ? join(dirname(page), path) : page;
          if (!existsSync(join(root, target))) return true;
          const text = [target, join(target, "README.md")].find((file) => pages.includes(normalize(file)));
          return heading !== undefined && text !== undefined && !headingsOf(text).has(heading);
        })
        .map((link) => `${page}: ${link}`),
    );
    expect(pages.length).toBeGreaterThan(100);
    expect(dead).toEqual([]);
  });

  test.each(["ai-sdk", "langchain", "llamaindex"])("list each option of the adapter %s", (name) => {
    const shared = read("packages/core/src/turn/adapter-options.ts");
    const own = optionsOf("ToolCallingOptions", `${read(`packages/${name}/src/options.ts`)}\n${shared}`);
    const table = /^\| option .*?\n\n/ms.exec(read(`packages/${name}/README.md`))?.[0] ?? "";
    expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, option]) => option).sort()).toEqual([...own].sort());
    expect([...own]).toContain("protocol");
  });
});

const read = (file: string) => readFileSync(join(root, file), "utf8");

/** All pages of the repository, by path. */
const allPages = () =>
  spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], { cwd: root, encoding: "utf8" })
    .stdout.split("\n")
    .filter((file) => file && existsSync(join(root, file)));

const textOf = (page: string) => read(page).replace(/^( *`{3,})[^`\n]*\n[\s\S]*?^\1$/gm, "");

/** The relative links of a page. */
const linksOf = (page: string) =>
  [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link).filter((link) => !/^\w+:/.test(link));

/** The anchors of a page, as GitHub names them. */
const headingsOf = (page: string) =>
  new Set(
    [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
      title
        .replace(/\]\([^)]*\)/g, "")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replace(/ /g, "-"),
    ),
  );

/** The options of an interface in a source text, with those of the interfaces that it extends. */
function optionsOf(name: string, source: string): Set<string> {
  const [, bases = "", body = ""] = new RegExp(`^export interface ${name}(.*?) \\{$(.*?)^\\}`, "ms").exec(source) ?? [];
  const inherited = [...bases.matchAll(/\w+Options\b/g)].flatMap(([base]) => [...optionsOf(base, source)]);
  return new Set([...inherited, ...[...body.matchAll(/^ {2}(\w+)\?:/gm)].map(([, option = ""]) => option)]);
}
