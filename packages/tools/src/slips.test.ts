import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BaseTool, defineTool, tool } from "./index.js";

// What JavaScript allows and the types refuse.
const loose = (value: unknown) => value as (...args: unknown[]) => { description(text: unknown): never };
const looseTool = loose(tool);
const looseDefine = loose(defineTool);

const description = "x";
const execute = () => 1;

describe("a slip in a definition is an error that says what is right", () => {
  it.each([
    ["an object in the place of the name", () => looseDefine({ name: "t", description, execute }), "not an object"],
    ["no name", () => looseDefine(), "not undefined"],
    ["an empty name", () => looseDefine(" "), 'not " "'],
    ["options beside the name", () => looseDefine("t", { description }), "takes a name only"],
  ])("of defineTool: %s", (_, define, said) => {
    const how = 'defineTool("name").description("…").parameter("city", { type: "string" }).execute(fn)';
    expect(define).toThrow(expect.objectContaining({ code: expect.stringMatching(/^(?:missing-name|bad-option)$/) }));
    expect(define).toThrow(said);
    expect(define).toThrow(how);
    expect(define).toThrow("tool({ name, description, schema }, fn)");
  });

  it("of a builder: a parameter without a name, and options that its other steps set", () => {
    const builder = defineTool("t").description("x");
    expect(() => builder.parameter({ name: "city" } as never, {})).toThrow("`name` is a string, not an object");
    const library = 'The schema of the parameter "city" is that of a library, and not JSON Schema.';
    expect(() => builder.parameter("city", z.string() as never)).toThrow(library);
    expect(() => builder.parameter("city", z.toJSONSchema(z.string()) as never)).not.toThrow();
    expect(() => builder.options({ schema: z.object({}) } as never)).toThrow(
      '"schema" in the options of the tool "t": its parameters are those of .parameter(…)',
    );
    expect(() => builder.options({ name: "other" } as never)).toThrow('is named by defineTool("t")');
  });

  it.each([
    ["a name", () => looseTool("t", { description, execute })],
    ["a name among them", () => looseTool({ name: "t", description, schema: z.object({}), execute })],
    ["other options before it", () => looseTool({ name: "t", description, parameters: { type: "object" }, execute })],
    ["another word for it", () => looseTool("t", { description, handler: execute })],
  ])("of tool(): the function among the options, with %s", (_, define) => {
    expect(define).toThrow(expect.objectContaining({ code: "bad-option" }));
    expect(define).toThrow(
      /^There is no "(?:execute|handler)" in the options of the tool "t": the function comes after them\./,
    );
    expect(define).toThrow('tool("name", { description: "…", schema }, fn)');
  });

  it("of tool(): a misspelt option that takes a function is not the function", () => {
    expect(() => looseTool("t", { description, onResutl: execute }, execute)).toThrow('Did you mean "onResult"?');
  });

  it.each([
    ["the function first", () => looseTool(execute, { name: "t", description }), "tool() takes the function last."],
    ["no text as the name", () => looseTool(5, { description }, execute), "The name of a tool is a string, not 5."],
    [
      "an object as the name",
      () => looseTool({}, { description }, execute),
      "The name of a tool is a string, not an object.",
    ],
  ])("of tool(): %s", (_, define, said) => {
    expect(define).toThrow(said);
    expect(define).toThrow('tool("name", { description: "…", schema }, fn)');
  });

  it("of a description that is no text", () => {
    expect(() => looseTool("t", { description: { text: "x" } }, execute)).toThrow(
      'The description of the tool "t" is a string, not an object.',
    );
  });

  it.each(["schema", "parameters", "inputSchema"])(
    "of a class with its schema as `%s`, which would be ignored",
    async (field) => {
      class Search extends BaseTool {
        readonly name = "search";
        readonly description = "Searches";
        constructor() {
          super();
          Object.defineProperty(this, field, { value: z.object({ query: z.string() }), enumerable: true });
        }
        _run(): unknown {
          return "ran";
        }
      }
      const refused = new Search().execute({ query: 5 }, { toolCallId: "1" });
      await expect(refused).rejects.toMatchObject({ code: "unknown-field" });
      await expect(refused).rejects.toThrow(`a field "${field}", which is not an option. Did you mean "argsSchema"?`);
    },
  );

  it("but a class may keep a text under such a name, and anything beside its `argsSchema`", async () => {
    class Table extends BaseTool {
      readonly name = "table";
      readonly description = "Reads a table";
      override readonly argsSchema = z.object({ id: z.number() });
      readonly schema = { table: "users" };
      _run({ id }: { id: number }) {
        return `${this.schema.table} ${id}`;
      }
    }
    expect(await new Table().run({ id: 1 })).toBe("users 1");
    class Query extends BaseTool {
      readonly name = "query";
      readonly description = "Queries";
      readonly schema = "public";
      _run() {
        return this.schema;
      }
    }
    expect(await new Query().run({})).toBe("public");
  });
});

describe("an error for the model", () => {
  it("says why a fetch failed, which its own message does not", async () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" });
    const failing = tool("t", { description }, () => {
      throw new TypeError("fetch failed", { cause });
    });
    expect(await failing.execute({}, { toolCallId: "1" })).toHaveProperty(
      "message",
      'The tool "t" failed: fetch failed (connect ECONNREFUSED 127.0.0.1:9)',
    );
  });

  it("of several errors without a message of their own is the first one's", async () => {
    const several = tool("t", { description }, () => {
      throw new AggregateError([new Error("no route"), new Error("no host")]);
    });
    expect(await several.execute({}, { toolCallId: "1" })).toHaveProperty("message", 'The tool "t" failed: no route');
  });
});

it("a listener of events that rejects ends neither the call nor the process", async () => {
  const rejected: unknown[] = [];
  const onRejection = (reason: unknown) => rejected.push(reason);
  process.on("unhandledRejection", onRejection);
  try {
    const observed = tool("t", { description, onEvent: async () => Promise.reject(new Error("no log")) }, () => 1);
    expect(await observed.run({})).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(rejected).toEqual([]);
  } finally {
    process.off("unhandledRejection", onRejection);
  }
});
