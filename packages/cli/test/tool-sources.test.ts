import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { shownMessage } from "../src/terminal/errors.js";
import { loadTools } from "../src/tool-sources/load-tools.js";
import { cli } from "./support/cli.js";

const sample = (name: string) => fileURLToPath(new URL(`samples/${name}`, import.meta.url));
/** On a busy machine a server may be waited for. */
const never = (message: string) => message.startsWith("Waiting for ") || expect.fail(message);
const context = { toolCallId: "1" };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-sources-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function written(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return path;
}

const schema = { type: "object", properties: { a: { type: "number" } } };
const definition = { name: "add", description: "Adds", parameters: schema };

describe("a JSON or YAML file", () => {
  test.each<[string, unknown]>([
    ["Toolingua's", [definition]],
    ["OpenAI's Chat Completions", [{ type: "function", function: definition }]],
    ["OpenAI's Responses", [{ type: "function", ...definition }]],
    ["OpenAI's functions", { functions: [definition] }],
    ["Anthropic's", [{ name: "add", description: "Adds", input_schema: schema }]],
    ["Gemini's", [{ functionDeclarations: [{ name: "add", description: "Adds", parametersJsonSchema: schema }] }]],
    [
      "Gemini's REST",
      [{ function_declarations: [{ name: "add", description: "Adds", parametersJsonSchema: schema }] }],
    ],
    ["MCP's", { tools: [{ name: "add", description: "Adds", inputSchema: schema }] }],
    ["one tool", definition],
    ["one with a byte order mark", `\uFEFF${JSON.stringify(definition)}`],
    ["one in UTF-16", Buffer.from(`\uFEFF${JSON.stringify(definition)}`, "utf16le")],
  ])("contains tools in the form: %s", async (form, content) => {
    const path = await written(`${form.replaceAll(/\W/g, "-")}.json`, content);
    expect((await loadTools({ tools: [path] }, never)).tools).toEqual([definition]);
  });

  test("is named in the error for a tool in it", async () => {
    const path = await written("wrong.json", [{ ...definition, parameters: { type: "objct" } }]);
    await expect(loadTools({ tools: [path] }, never)).rejects.toMatchObject({
      code: "invalid-schema",
      message: expect.stringMatching(/wrong\.json: The parameters of tool "add" .* Did you mean "object"\?$/),
    });
  });

  test("may be YAML", async () => {
    const path = await written(
      "tools.yaml",
      "- name: add\n  description: Adds\n  parameters: { type: object, properties: { a: { type: number } } }\n",
    );
    expect((await loadTools({ tools: [path] }, never)).tools).toEqual([definition]);
  });

  test.each([[[]], [{ mcpServers: {} }]])("without tools says so: %j", async (content) => {
    const notes: string[] = [];
    const path = await written("none.json", content);
    expect((await loadTools({ tools: [path] }, (note) => void notes.push(note))).tools).toEqual([]);
    expect(notes).toEqual([`${path} has no tools.`]);
  });

  test("in YAML with an unknown tag writes no words of the document to the terminal", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const path = await written("tags.yaml", "- name: !mine add # \u001b[2J\n  description: Adds\n  parameters: {}\n");
    expect((await loadTools({ tools: [path] }, never)).tools).toMatchObject([{ name: "add" }]);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  test.each<[string, string | Buffer, string | RegExp]>([
    ["broken.json", "[{", "is not valid JSON"],
    [
      "commented.json",
      "// mine\n[]",
      /commented\.json is not valid JSON: Unexpected token '\/', "\/\/ mine \[\]"\. JSON has no/,
    ],
    ["none.json", "", "none.json is not valid JSON: Unexpected end of JSON input"],
    ["broken.yaml", "a: [", "is not valid YAML"],
    [
      "latin1.json",
      Buffer.from('[\n{"name": "caf\u00e9"}]', "latin1"),
      "latin1.json is not UTF-8 (line 2): save it as UTF-8.",
    ],
    ["utf16.json", Buffer.from("[]", "utf16le"), "utf16.json is UTF-16 without a byte order mark: save it as UTF-8."],
    ["utf16.yaml", Buffer.from("[]", "utf16le").swap16(), "utf16.yaml is UTF-16 without a byte order mark"],
    ["empty.json", "{}", "empty.json: There are no tools. Expected: a list of tools"],
    ["tool.json", '{"tool": []}', 'configuration. There is "tool": did you mean "tools"?'],
    ["servers.json", '{"mcpServer": {}}', 'There is "mcpServer": did you mean "mcpServers"?'],
    ["server.json", '{"mcpServers": {"a": {"comand": "npx"}}}', 'and has `comand`. Did you mean "command"?'],
    ["mcp.json", '{"mcpServers": {"a": {"comand": "npx"}}}', /mcp\.json: The MCP server "a" has a wrong configuration/],
    [
      "gone.json",
      '{"mcpServers": {"a": {"command": "no-such-x"}}}',
      /gone\.json: The MCP server "a" cannot be reached/,
    ],
    ["list.json", '{"mcpServers": {"a": []}}', /list\.json: The MCP server "a" has a wrong .*: it is not an object/],
    ["twice.json", '[{"name": "w"}, {"name": "w"}]', /^\S*twice\.json has two tools named "w"\.$/],
    ["nameless.json", '[{"parameters": {}}]', "nameless.json: Tool 1 has no name"],
    ["nam.json", '[{"nam": "a"}]', 'nam.json: Tool 1 has no name. There is "nam": did you mean "name"?'],
    ["deep.json", "[".repeat(20_000) + "]".repeat(20_000), "deep.json is nested more than 500 levels deep"],
    ["numbers.json", "[1]", "numbers.json: Tool 1 is not an object, but 1"],
    [
      "string.json",
      '[{"name": "a", "parameters": {"type": "string"}}]',
      'The parameters of tool "a" must describe an object',
    ],
    ...[
      { name: "a", paramters: schema },
      { type: "function", function: { name: "a", paramters: schema } },
      { type: "function", name: "a", paramters: schema },
    ].map((tool, i): [string, string, string] => [
      `misspelt-${i}.json`,
      JSON.stringify([tool]),
      'Tool "a" has a schema under "paramters". Did you mean "parameters"?',
    ]),
  ])("that is invalid is refused with the reason: %s", async (name, content, message) => {
    const path = await written(name, content);
    await expect(loadTools({ tools: [path] }, never)).rejects.toThrow(message);
  });
});

describe("a module", () => {
  test("provides decorated classes and tools, but none of its helpers", async () => {
    const { tools } = await loadTools({ tools: [sample("notes.ts")] }, never);
    expect(tools.map(({ name }) => name)).toEqual(["now", "add", "echo"]);
    const [now, add, echo] = tools;
    expect(await now?.execute?.({}, context)).toBe("12:00");
    expect(await add?.execute?.({ text: "milk" }, context)).toBe(1);
    expect(await add?.execute?.({ text: "eggs" }, context)).toBe(2);
    expect(await echo?.execute?.({ text: "hi" }, context)).toBe("hi");
  });

  test("provides tools of the AI SDK and of LangChain, which run", async () => {
    const { tools } = await loadTools({ tools: [sample("foreign.mjs")] }, never);
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ["double", "AI SDK"],
      ["halve", "LangChain"],
    ]);
    expect(await tools[0]?.execute?.({ a: 4 }, context)).toBe(8);
    expect(await tools[1]?.execute?.({ a: 4 }, context)).toBe(2);
    // As JavaScript may call it.
    expect(await tools[1]?.execute?.({ a: 4 }, undefined as never)).toBe(2);
  });

  test.each([
    ["an object of them, as the AI SDK takes them.mjs", "export const tools = { double, halve };"],
    ["an object of them by default.mjs", "export default { double, halve };"],
    ["module.exports of an object.cjs", "module.exports = { tools: { double, halve } };"],
    ["module.exports.cjs", "module.exports = { double, halve };"],
    [
      "module.exports of a list.cjs",
      "module.exports = { tools: [{ name: 'double', execute: double.execute }, halve] };",
    ],
    ["exports.cjs", "exports.double = double; exports.halve = halve;"],
    [
      "an object that holds itself.cjs",
      "const tools = { double, halve }; tools.self = tools; module.exports = { tools };",
    ],
  ])("provides the tools of %s", async (name, exported) => {
    const path = await written(
      name,
      `const double = { inputSchema: { jsonSchema: { type: "object" } }, execute: ({ a }) => 2 * a };
       const halve = { name: "halve", execute: ({ a }) => a / 2 };\n${exported}`,
    );
    const { tools } = await loadTools({ tools: [path] }, never);
    expect(tools.map((tool) => tool.name)).toEqual(["double", "halve"]);
    expect(await tools[0]?.execute?.({ a: 4 }, context)).toBe(8);
  });

  test("provides tools of an object, but none of objects in it, and runs none of its getters", async () => {
    const path = await written(
      "deep.mjs",
      `const tool = { inputSchema: { jsonSchema: { type: "object" } }, execute() {} };
       export const settings = { get x() { throw new Error("no"); } };
       export const db = { good: tool, a: { deep: { ...tool } }, list: [{ ...tool }], get b() { throw new Error("no"); } };
       export default { get x() { throw new Error("no"); } };`,
    );
    const notes: string[] = [];
    const { tools } = await loadTools({ tools: [path] }, (note) => notes.push(note));
    expect(tools.map(({ name }) => name)).toEqual(["good"]);
    const getters = ["db.b", "settings.x", "x"].map((at) => `${at} (a getter, which is not run)`);
    expect(notes).toEqual([`Left out of ${path}: ${getters.join(", ")}.`]);
  });

  test("names its file in the error of an export", async () => {
    const path = await written("getter.mjs", "export const a = { get name() { throw new Error('no'); } };");
    await expect(loadTools({ tools: [path] }, never)).rejects.toThrow(`${path}: no`);
    const wrong = await written(
      "wrong.mjs",
      "export const a = { name: 'a', parameters: { type: 'objct' }, execute() {} };",
    );
    await expect(loadTools({ tools: [wrong] }, never)).rejects.toMatchObject({
      code: "invalid-schema",
      message: expect.stringContaining(`${wrong}: The parameters of tool "a"`),
    });
  });

  test.each([
    ["objects", "export const files = { list: tool() }, users = { list: tool() };", "files.list and users.list"],
    ["a list", "export const tools = [1, 2].map(() => ({ name: 'list', execute() {} }));", "tools[0] and tools[1]"],
  ])("with two tools of one name is an error that names both: %s", async (name, exported, both) => {
    const tool = "const tool = () => ({ inputSchema: { jsonSchema: { type: 'object' } }, execute() {} });";
    const path = await written(`two in ${name}.mjs`, `${tool}\n${exported}`);
    await expect(loadTools({ tools: [path] }, never)).rejects.toMatchObject({
      code: "bad-input",
      message: `${path} has two tools named "list": ${both}.`,
    });
  });

  test.each([
    "export class A extends Base {} export const a = new A('given');",
    "export const tools = [new Base('given')];",
    "export const tools = new Base('given').toToolList();",
    "export const a = new Base('given'); export const tools = a.toToolList();",
    "export class A extends Base { constructor() { super('given'); } }",
  ])(
    "provides the tools of a class once, if an object of it or a class that extends it is exported too: %s",
    async (more) => {
      const base = `export class Base {
      constructor(who) { this.who = who; }
      toToolList() { return [{ name: "who", execute: () => this.who }]; }
    }`;
      const path = await written(`once-${more.length}.mjs`, `${base}\n${more}`);
      const { tools } = await loadTools({ tools: [path] }, never);
      expect(tools.map(({ name }) => name)).toEqual(["who"]);
      expect(await tools[0]?.execute?.({}, context)).toBe("given");
    },
  );

  test("calls tools of the AI SDK as the SDK does: by their schema, with its options, for their last result", async () => {
    const path = await written(
      "ai-sdk.mjs",
      `const validate = ({ a }) =>
        a > 0 ? { success: true, value: { a: a + 1 } } : { success: false, error: new Error("a must be above 0") };
      export const next = {
        inputSchema: { jsonSchema: ${JSON.stringify(schema)}, validate },
        needsApproval: ({ a }) => a > 5,
        async *execute({ a }, { toolCallId, messages, abortSignal }) {
          yield "wait";
          yield { a, toolCallId, messages, reason: abortSignal.reason };
        },
      };`,
    );
    const [next] = (await loadTools({ tools: [path] }, never)).tools;
    expect(next).toMatchObject({ name: "next", parameters: schema });
    const signal = AbortSignal.abort("stopped");
    const result = await next?.execute?.({ a: 4 }, { ...context, signal });
    expect(result).toEqual({ a: 5, toolCallId: "1", messages: [], reason: "stopped" });
    expect(await next?.execute?.({ a: 0 }, context)).toMatchObject({
      message: expect.stringContaining("a must be above 0"),
    });
    const { needsApproval } = next ?? {};
    if (typeof needsApproval !== "function") throw new Error("it asks for no approval");
    expect([await needsApproval({ a: 5 }), await needsApproval({ a: 6 })]).toEqual([false, true]);
  });

  test("of TypeScript without tools provides its functions, by their types, which run", async () => {
    const { tools } = await loadTools({ tools: [sample("tools.ts")] }, never);
    expect(tools).toMatchObject([
      {
        name: "forecast",
        description: "The weather in a city.",
        parameters: {
          properties: { city: { type: "string", description: "Its name" }, days: { default: 3 } },
          required: ["city"],
        },
      },
    ]);
    expect(await tools[0]?.execute?.({ city: "Oslo" }, context)).toBe("Oslo: sun for 3 days");
    expect(await tools[0]?.execute?.({ city: "Oslo", days: 1 }, context)).toBe("Oslo: sun for 1 days");
  });

  test.each<[string, string, string]>([
    ...["js", "mjs", "cjs", "ts", "mts", "cts", "tsx"].map((end): [string, string, string] => [
      `none.${end}`,
      end === "cjs" ? "exports.a = 1;" : "export const a = 1;",
      "exports no tools",
    ]),
    ["throws.mjs", "throw new Error('no database');", "could not be run: no database"],
    ["date.ts", "export function book(when: Date) {\n  return when;\n}", "Date has no JSON form. Take a string"],
    ["needs.mjs", "export class A { constructor(x) { x.y; } toToolList() { return []; } }", "The class A of"],
  ])("that is invalid is refused with the reason: %s", async (name, content, message) => {
    await expect(loadTools({ tools: [await written(name, content)] }, never)).rejects.toThrow(message);
  });

  test("that is a folder with a dot in its name is loaded", async () => {
    await mkdir(join(folder, "my.tools"));
    await written("my.tools/index.js", "export const a = { name: 'a', execute() {} };");
    const path = join(folder, "my.tools");
    for (const source of [path, `./${relative(process.cwd(), path)}`])
      expect((await loadTools({ tools: [source] }, never)).tools.map(({ name }) => name)).toEqual(["a"]);
  });

  test("that does not exist is an error", async () => {
    const file = resolve("none.ts");
    for (const source of ["none.ts", "./none.ts", file])
      await expect(loadTools({ tools: [source] }, never)).rejects.toMatchObject({
        code: "not-found",
        message: `There is no file ${source}.`,
      });
    await expect(loadTools({ tools: ["no-such-package-here"] }, never)).rejects.toMatchObject({
      code: "not-found",
      message: `There is no package no-such-package-here in ${process.cwd()}, nor a file of that name.`,
    });
    await expect(loadTools({ tools: ["https://example.com/a.json"] }, never)).rejects.toMatchObject({ code: "usage" });
  });
});

describe("what tools are not read from is an error that says so", () => {
  const read =
    "--tools reads a .json, .yaml, .yml, .js, .mjs, .cjs, .ts, .mts, .cts or .tsx file, or an installed package.";

  test("a folder", async () => {
    const dotted = join(folder, "no.module");
    await mkdir(dotted);
    for (const path of [folder, "packages", "./packages", dotted])
      await expect(loadTools({ tools: [path] }, never)).rejects.toThrow(`${path} is a folder. ${read}`);
  });

  test("a file with another extension, or none", async () => {
    const path = await written("tools.bin", "export const a = 1;");
    await expect(loadTools({ tools: [path] }, never)).rejects.toThrow(
      `The file ${path} has the extension .bin. ${read}`,
    );
    const jsx = await written("tools.jsx", "export const a = 1;");
    await expect(loadTools({ tools: [jsx] }, never)).rejects.toThrow(`The file ${jsx} has the extension .jsx. ${read}`);
    const near = relative(process.cwd(), path);
    await expect(loadTools({ tools: [near] }, never)).rejects.toThrow(`The file ${near} has the extension .bin.`);
    await expect(loadTools({ tools: ["LICENSE"] }, never)).rejects.toThrow(
      `The file LICENSE has no extension. ${read}`,
    );
  });

  test("nothing", async () => {
    await expect(loadTools({ tools: [join(folder, "none.bin")] }, never)).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("an OpenAPI document", () => {
  test.each([
    ["no operations", "paths: {}", []],
    [
      "no address",
      "paths: { /a: { get: { operationId: a, responses: {} } } }",
      [expect.stringContaining("add `servers` to the document.")],
    ],
  ])("with %s is an error", async (_, paths, problems) => {
    const file = await written("useless.yaml", `openapi: 3.1.0\ninfo: { title: a, version: "1" }\n${paths}\n`);
    const found: string[] = [];
    const loaded = loadTools({ openapi: [file] }, (problem) => void found.push(problem));
    await expect(loaded).rejects.toMatchObject({
      code: "bad-input",
      message: `${file} has no operation that can be used.`,
    });
    expect(found).toEqual(problems);
  });

  test.each(["tools", "openapi"] as const)(
    "given as --%s provides its operations, and marks the read-only ones",
    async (option) => {
      const { tools } = await loadTools({ [option]: [sample("api.yaml")] }, never);
      expect(tools.map(({ name, readOnly }) => [name, readOnly])).toEqual([
        ["getPet", true],
        ["deletePet", undefined],
      ]);
    },
  );
});

describe("an MCP server", () => {
  test("that says nothing is waited for, which the user is told, until a limit that can be set", async () => {
    const notes: string[] = [];
    const silent = `"${process.execPath}" -e "process.stdin.resume()"`;
    const loaded = loadTools({ mcp: [silent], mcpTimeout: 8000 }, (note) => void notes.push(note));
    await expect(loaded.catch((error: unknown) => Promise.reject(new Error(shownMessage(error))))).rejects.toThrow(
      /cannot be reached: no answer within 8 s \(--mcp-timeout sets the limit\)/,
    );
    expect(notes).toEqual([
      expect.stringMatching(/^Waiting for .* over MCP: at most 8 s for each answer \(--mcp-timeout\)\.$/),
    ]);
  });

  const server = `"${process.execPath}" "${sample("mcp-server.mjs")}"`;

  test("given as a command provides its tools, which run until it is closed", async () => {
    const { tools, close } = await loadTools({ mcp: [server] }, never);
    expect(tools.map(({ name }) => name)).toEqual(["look", "touch"]);
    expect(await tools[0]?.execute?.({}, context)).toBe("seen");
    await close();
    expect(await tools[0]?.execute?.({}, context)).toMatchObject({ code: "closed" });
  });

  test.each(["16.1", "64.1"])("is given a part of a second: --mcp-timeout %s", async (seconds) => {
    const argv = ["render", "--protocol", "hermes", "--mcp", server, "--mcp-timeout", seconds];
    const { code, stdout } = await cli(argv, { stdin: "Hi" });
    expect([code, stdout]).toEqual([0, expect.stringContaining('"name": "look"')]);
  });

  test("is trusted about its read-only tools if the user trusts it", async () => {
    const readOnly = async (trustMcp: boolean) => {
      const { tools, close } = await loadTools({ mcp: [server], trustMcp }, never);
      await close();
      return tools.filter((tool) => tool.readOnly).map(({ name }) => name);
    };
    expect(await readOnly(false)).toEqual([]);
    expect(await readOnly(true)).toEqual(["look"]);
  });

  test("may be one of an mcpServers configuration; tools of one name get different names", async () => {
    const one = { command: process.execPath, args: [sample("mcp-server.mjs")] };
    const path = await written("mcp.json", { mcpServers: { a: one, b: one } });
    const { tools, close } = await loadTools({ tools: [path] }, never);
    await close();
    expect(tools.map(({ name }) => name)).toEqual(["a__look", "a__touch", "b__look", "b__touch"]);
  });

  test("of one of several files that cannot be used is named with this file", async () => {
    const server = { command: process.execPath, args: [sample("mcp-server.mjs")] };
    const paths = [
      await written("good.json", { mcpServers: { a: server } }),
      await written("bad.json", { mcpServers: { a: { command: "no-such-command-here" } } }),
    ];
    await expect(loadTools({ tools: paths }, never)).rejects.toThrow(`${paths[1]}: The MCP server "a2" cannot be`);
  });

  test.each([
    [{ mcp: [""] }, "--mcp needs a command or a URL"],
    [{ mcp: ["no-such-command-here --flag"] }, 'The MCP server "no-such-command-here" cannot be reached'],
  ])("that is invalid is refused: %j", async (options, message) => {
    await expect(loadTools(options, never)).rejects.toThrow(message);
  });
});

describe("several sources", () => {
  test("provide all their tools in order", async () => {
    const { tools } = await loadTools(
      { tools: [sample("tools.json"), sample("tools.ts")], openapi: [sample("api.yaml")] },
      never,
    );
    expect(tools.map(({ name }) => name)).toEqual(["get_weather", "now", "forecast", "getPet", "deletePet"]);
  });

  test("with two tools of one name are an error that names both", async () => {
    const again = await written("again.json", [{ name: "now" }]);
    await expect(loadTools({ tools: [sample("tools.json"), again] }, never)).rejects.toThrow(
      `There are two tools named "now": of ${sample("tools.json")} and of ${again}.`,
    );
  });
});
