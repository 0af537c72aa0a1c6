import { ToolDefinitionError } from "@toolingua/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ToolSpec, tool, toolsOf, withContext } from "./index.js";

class Notes extends ToolSpec {
  static override schemas = { add: z.object({ text: z.string() }).describe("Adds a note") };
  override specFunctions: ToolSpec["specFunctions"] = ["list", "add"];
  readonly notes: string[] = [];
  add({ text }: { text: string }) {
    this.notes.push(text);
    return this.notes.length;
  }
  list() {
    return this.notes;
  }
  async addLater(args: { text: string }) {
    return `later: ${this.add(args)}`;
  }
}
const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);

describe("a ToolSpec", () => {
  it("lists its functions in their order, bound to the object, with their schemas", async () => {
    const notes = new Notes();
    const [list, add] = notes.toToolList();
    expect(await add?.run({ text: "milk" })).toBe(1);
    expect(await list?.run({})).toEqual(["milk"]);
    expect(add).toMatchObject({ name: "add", description: "Adds a note", parameters: { required: ["text"] } });
    expect(list).toMatchObject({ name: "list", description: "list", parameters: { type: "object" } });
    expect((await add?.execute({ text: 1 }, { toolCallId: "1" })) as unknown).toMatchObject({
      code: "invalid-arguments",
    });
  });

  it("lists only the requested functions; an empty list requests none", () => {
    expect(names(new Notes().toToolList(["add"]))).toEqual(["add"]);
    expect(new Notes().toToolList([])).toEqual([]);
    expect(names(new Notes().toToolList(null))).toEqual(["list", "add"]);
  });

  it("runs the second of a pair under the first one's name and schema", async () => {
    const [add] = new Notes().toToolList([["add", "addLater"]]);
    expect(add).toMatchObject({ name: "add", description: "Adds a note" });
    expect(await add?.run({ text: "tea" })).toBe("later: 1");
  });

  it("replaces all metadata by an override, of a pair by either name", async () => {
    const override = { name: "note", description: "Writes", maxUsageCount: 1, schema: {} };
    const [, add] = new Notes().toToolList(undefined, { add: override });
    expect(add).toMatchObject({ name: "note", description: "Writes", maxUsageCount: 1 });
    expect(add?.parameters).toEqual({});
    const pairs = [["add", "addLater"]] as const;
    expect(names(new Notes().toToolList(pairs, { addLater: override }))).toEqual(["note"]);
    expect(names(new Notes().toToolList(pairs, { addLater: override, add: { description: "x", schema: {} } }))).toEqual(
      ["add"],
    );
  });

  it("lets @tool() describe a method, and an override remove it", () => {
    class Marked extends ToolSpec {
      @tool({ description: "Runs", schema: z.object({ n: z.number() }) })
      go({ n }: { n: number }) {
        return n;
      }
    }
    expect(new Marked().toToolList()[0]).toMatchObject({ description: "Runs", parameters: { required: ["n"] } });
    expect(new Marked().toToolList(undefined, { go: { description: "Other", schema: {} } })[0]?.argsSchema).toEqual({});
  });

  it("inherits schemas", () => {
    class More extends Notes {
      static override schemas = { ...Notes.schemas, list: z.object({}).describe("Lists notes") };
    }
    expect(new More().toToolList().map(({ description }) => description)).toEqual(["Lists notes", "Adds a note"]);
  });

  it("can get schemas and metadata from its own methods", () => {
    class Own extends Notes {
      override getMetadata(name: string) {
        return { ...super.getMetadata(name), name: `notes_${name}` };
      }
    }
    expect(names(new Own().toToolList())).toEqual(["notes_list", "notes_add"]);
  });

  it("counts separately for each list", async () => {
    const spec = new Notes();
    const [first] = spec.toToolList(["list"]);
    await first?.run({});
    expect(spec.toToolList(["list"])[0]?.usageCount).toBe(0);
  });

  it.each<[string, unknown, object?]>([
    ["not-a-method", ["nothing"]],
    ["not-a-method", ["notes"]],
    ["not-a-method", ["constructor"]],
    ["not-a-method", [["add", "nothing"]]],
    ["not-a-method", [["nothing", "add"]]],
    ["bad-spec-functions", "add"],
    ["bad-spec-functions", [1]],
    ["bad-spec-functions", [["add"]]],
    ["duplicate-name", ["add", "add"]],
    ["duplicate-name", ["add", "list"], { list: { name: "add", description: "x" } }],
    ["unknown-function", ["add"], { ad: { description: "x" } }],
    ["missing-schema", ["add"], { add: { description: "x" } }],
  ])("reports %s for %j", (code, functions, overrides = {}) => {
    const list = () => new Notes().toToolList(functions as never, overrides as never);
    expect(list).toThrow(ToolDefinitionError);
    expect(list).toThrow(expect.objectContaining({ code }));
  });

  it("reports that it names no tools at all", () => {
    class Empty extends ToolSpec {}
    expect(() => new Empty().toToolList()).toThrow(/Empty: names no tools/);
    expect(() => toolsOf({})).toThrow(expect.objectContaining({ code: "bad-spec-functions" }));
  });
});

it.each([null, undefined, 5, [null], [5]])("%j is no list of tools, and no object with methods", (given) => {
  const refused = expect.objectContaining({ name: "ToolDefinitionError", code: expect.any(String) });
  expect(() => withContext(given as never, {})).toThrow(refused);
  expect(() => toolsOf(given as never)).toThrow(refused);
});
