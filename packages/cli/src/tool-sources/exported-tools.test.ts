import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { moduleTools } from "./module-tools.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-exports-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let written = 0;
/** The tools of a module, what it is named in messages, and the notes about it. */
async function load(code: string) {
  const path = join(folder, `module-${written++}.mjs`);
  await writeFile(path, code);
  const notes: string[] = [];
  const tools = moduleTools(path, folder, (note) => notes.push(note));
  return { path, tools, notes };
}

const needy = "export class Base { constructor(who) { this.who = who.name; } toToolList() { return [this.tool()]; } ";
const tool = "tool() { return { name: 'who', description: 'Who', execute: () => this.who }; } }";
const base = `${needy}${tool}\n`;

describe("a class that cannot be made without arguments", () => {
  test.each([
    "export const ann = new Base({ name: 'Ann' });",
    "export const people = [new Base({ name: 'Ann' })];",
    "export class Ann extends Base { constructor() { super({ name: 'Ann' }); } }",
    "export default { ann: new Base({ name: 'Ann' }) };",
  ])("is not needed where an object of it is exported too: %s", async (more) => {
    const { tools, notes } = await load(base + more);
    const [who, ...others] = await tools;
    expect([await who?.execute?.({}, { toolCallId: "1" }), others, notes]).toEqual(["Ann", [], []]);
  });

  test("is left out with a note beside tools of others, such as a list of its own", async () => {
    for (const more of ["new Base({ name: 'Ann' }).toToolList()", "{ name: 'now', execute() {} }"]) {
      const { path, tools, notes } = await load(`${base}export const other = ${more};`);
      expect(await tools).toHaveLength(1);
      expect(notes).toEqual([
        `Left out of ${path}: Base (it cannot be made without arguments: export an object of it instead).`,
      ]);
    }
  });

  test("is an error alone", async () => {
    const { path, tools } = await load(base);
    await expect(tools).rejects.toMatchObject({
      code: "bad-input",
      message: `The class Base of ${path} cannot be made without arguments: export an object of it instead.`,
    });
  });
});

describe("a tool that is not of a class or an object, but named as one of its tools", () => {
  const shop = "class Shop { toToolList() { return [{ name: 'list', description: 'Goods', execute() {} }]; } }";
  const file = "export const list = { name: 'list', description: 'Files', execute() {} };";

  test.each([
    ["a class", `export ${shop}\n${file}`, "Shop and list"],
    ["an object", `${shop} export const shop = new Shop();\n${file}`, "list and shop"],
    ["another class", `export ${shop} export class Other { ${shop.slice(13)}`, "Other and Shop"],
    [
      "a class, in an object of another",
      `export ${shop} class Other { ${shop.slice(13)} export const o = new Other();`,
      "Shop and o",
    ],
  ])("is an error that names both: %s", async (_, code, both) => {
    const { path, tools } = await load(code);
    await expect(tools).rejects.toMatchObject({
      code: "bad-input",
      message: `${path} has two tools named "list": ${both}.`,
    });
  });
});

test("tools of a class give way to a list of those of an object of it, which may be defined in another way", async () => {
  const search = "constructor(site = 'all') { this.site = site; }";
  const list = "toToolList() { return [{ name: 'search', description: 'Searches ' + this.site, execute() {} }]; }";
  const { tools } = await load(
    `export class Search { ${search} ${list} } export const tools = new Search("docs").toToolList();`,
  );
  expect(await tools).toMatchObject([{ name: "search", description: "Searches docs" }]);
});

test("a command of a command line is no tool, and not noted as one", async () => {
  const { tools, notes } = await load(`
    export const add = { name: "add", execute() {} };
    export const deploy = { name: "deploy", description: "Deploys", parameters: ["target"], parse() {} };
    export const build = { command: "build", description: "Builds", execute: true, handler() {} };`);
  expect([(await tools).length, notes]).toEqual([1, []]);
});

test("no getter of an object without tools is run", async () => {
  const getter = "get parameters() { throw new Error('not connected'); }";
  const { tools, notes } = await load(`
    export const add = { name: "add", execute() {} };
    export const db = { description: "A database", ${getter} };
    export const other = new (class { description = "One"; ${getter} })();`);
  expect([(await tools).length, notes.filter((note) => note.includes("other"))]).toEqual([1, []]);
});

describe("what looks like a tool, or may be one, and is not used", () => {
  const good = "const good = { name: 'good', execute() {} };";

  test("is noted: getters, tools without a function or a name", async () => {
    const { path, tools, notes } = await load(`${good}
      export const settings = { debug: true, text: "", nothing: undefined, log() {} };
      export const tools = {
        good,
        get late() { throw new Error("run"); },
        ask: { description: "Asks", inputSchema: { jsonSchema: {} } },
        old: { description: "Says", parameters: {}, execute() {} },
      };
      export const lone = { name: "lone", description: "Alone", parameters: {} };
      export const list = [{ description: "Nameless", execute() {} }];
      export default { get other() { throw new Error("run"); } };`);
    expect((await tools).map(({ name }) => name)).toEqual(["good"]);
    expect(notes).toEqual([
      `Left out of ${path}: ${[
        "list[0] (it has no name, and no inputSchema)",
        "lone (it has no execute())",
        "other (a getter, which is not run)",
        "tools.ask (it has no execute())",
        "tools.late (a getter, which is not run)",
        "tools.old (it has no name, and no inputSchema)",
      ].join(", ")}.`,
    ]);
  });

  test("is noted where nothing else is exported", async () => {
    const { path, tools, notes } = await load("export const tools = { get late() { return 1; } };");
    await expect(tools).rejects.toThrow("exports no tools");
    expect(notes).toEqual([`Left out of ${path}: tools.late (a getter, which is not run).`]);
  });

  test("a getter of a module that was compiled to CommonJS is an export", async () => {
    const path = join(folder, "compiled.cjs");
    await writeFile(
      path,
      `Object.defineProperty(exports, "__esModule", { value: true });
       const files_1 = { good: { name: "good", execute() {} } };
       Object.defineProperty(exports, "good", { enumerable: true, get: function () { return files_1.good; } });`,
    );
    const tools = await moduleTools(path, folder, (note) => expect.fail(note));
    expect(tools.map(({ name }) => name)).toEqual(["good"]);
  });

  test("a getter of CommonJS that is an export anyway is not noted", async () => {
    const path = join(folder, "getters.cjs");
    await writeFile(
      path,
      `${good} Object.defineProperty(module.exports, "good", { enumerable: true, get() { return good; } });`,
    );
    const tools = await moduleTools(path, folder, (note) => expect.fail(note));
    expect(tools.map(({ name }) => name)).toEqual(["good"]);
  });
});
