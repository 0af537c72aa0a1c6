import { beforeEach, describe, expect, test } from "vitest";
import { emitValue } from "../../notation/value-sink.js";
import { Aliases } from "../../schema/aliases.js";
import type { ReplyEvent, ToolDefinition } from "../../types.js";
import { ToolTable } from "../arguments/tool-table.js";
import { Call, reasonWith } from "./call.js";

const tools: ToolDefinition[] = [
  {
    name: "set_lamp",
    parameters: {
      type: "object",
      properties: { room: { type: "string" }, level: { type: "integer" }, more: { type: "object" } },
      required: ["room"],
    },
  },
  { name: "now" },
];

let events: ReplyEvent[] = [];
beforeEach(() => {
  events = [];
});

const raw = () => "<source>";
type Known = readonly ToolDefinition[] | "unknown";
const begin = (known: Known = tools, deltas = true) =>
  new Call("id", 3, events, {
    tools: ToolTable.of(known === "unknown" ? undefined : known),
    opensCalls: () => false,
    generateId: () => "",
    deltas,
  });

/** A call of a tool with these arguments, before its end. */
function called(name: string, args?: unknown, known: Known = tools): Call {
  const call = begin(known);
  call.setName(name);
  if (args !== undefined) emitValue(args, call.argumentSink());
  return call;
}

/** The last event of a call that ends: the call, or the code and the message of its error. */
function ended(call: Call): unknown {
  call.finish(raw);
  const last = events.at(-1);
  if (last?.type === "call-end") return last.call;
  return last?.type === "call-invalid" && [last.call.error.code, last.call.error.message];
}

describe("the events of a call", () => {
  test("start with its name, continue with its arguments as they arrive, and end with the call", () => {
    const call = called("set_lamp");
    const sink = call.argumentSink();
    sink.begin("object");
    sink.key("room");
    emitValue("attic", sink);
    call.flush();
    call.flush();
    sink.end("object");
    call.finish(raw);
    expect(events).toEqual([
      { type: "call-start", index: 3, id: "id", name: "set_lamp" },
      { type: "call-delta", index: 3, argumentsDelta: '{"room":"attic"' },
      { type: "call-delta", index: 3, argumentsDelta: "}" },
      { type: "call-end", index: 3, call: { id: "id", name: "set_lamp", arguments: { room: "attic" } } },
    ]);
  });

  test("have no deltas where these are not wanted, or the tool does not exist", () => {
    const call = begin(tools, false);
    call.setName("now");
    emitValue({}, call.argumentSink());
    call.finish(raw);
    called("later", { a: 1 }).finish(raw);
    expect(events.map(({ type }) => type)).toEqual(["call-start", "call-end", "call-invalid"]);
  });

  test("have the arguments that came before the name", () => {
    const call = begin();
    emitValue({ room: "attic" }, call.argumentSink());
    expect([call.hasArguments, call.argumentNames, events]).toEqual([true, ["room"], []]);
    call.setName("set_lamp");
    expect(ended(call)).toMatchObject({ arguments: { room: "attic" } });
  });

  test("are of the first name alone", () => {
    const call = called("now");
    call.setName("set_lamp");
    expect(ended(call)).toEqual({ id: "id", name: "now", arguments: {} });
  });

  test("have the repairs of the name and the arguments, once for each place", () => {
    const call = called("setLamp");
    call.repaired("missing-comma");
    call.repaired("missing-comma");
    emitValue({ room: "attic", level: "2" }, call.argumentSink());
    expect(ended(call)).toMatchObject({
      name: "set_lamp",
      repairs: [{ code: "renamed-tool" }, { code: "missing-comma" }, { code: "to-number", path: "/level" }],
    });
  });
});

describe("a call that does not run", () => {
  test.each<[string, () => Call, unknown]>([
    ["names no tool", () => begin(), ["malformed", expect.stringContaining("the call names no tool")]],
    ["names an unknown tool", () => called("later"), ["unknown-tool", expect.stringContaining("later")]],
    ["lacks an argument", () => called("set_lamp", {}), ["invalid-arguments", expect.stringContaining("room")]],
    [
      "has other arguments",
      () => called("set_lamp", { room: "a", level: [] }),
      ["invalid-arguments", expect.stringContaining("level")],
    ],
    [
      "repeats the tool's definition",
      () => called("set_lamp", { type: "object", properties: { room: { type: "string" } } }),
      ["malformed", expect.stringContaining("definition")],
    ],
  ])("%s", (_, make, wanted) => {
    const call = make();
    expect(ended(call)).toEqual(wanted);
    expect([call.isInvalid, events.at(-1)]).toMatchObject([true, { call: { id: "id", raw: "<source>" } }]);
  });

  test("was rejected for the first of several reasons", () => {
    const call = called("set_lamp", { room: "attic" });
    call.reject("it is a quotation");
    call.reject("it is a record");
    expect(ended(call)).toEqual(["malformed", expect.stringContaining("it is a quotation")]);
    expect(events.at(-1)).toMatchObject({ call: { name: "set_lamp", arguments: { room: "attic" } } });
  });

  test("is ambiguous if one of its arguments has two values", () => {
    const call = called("set_lamp");
    const sink = call.argumentSink();
    sink.begin("object");
    for (const room of ["a", "b"]) {
      sink.key("room");
      emitValue(room, sink);
    }
    sink.end("object");
    call.finish(raw);
    expect(events.at(-1)).toMatchObject({ call: { error: { code: "invalid-arguments", ambiguous: true } } });
    ended(called("set_lamp", { room: "a", level: [] }));
    expect(events.at(-1)).not.toHaveProperty("call.error.ambiguous");
  });

  test.each<[string, object, boolean]>([
    ["contain the call of a tool", { room: "a", more: { x: { name: "now" } } }, false],
    ["contain another name", { room: "a", more: { x: { name: "then" } } }, true],
    ["have an argument of the call in another object", { room: "a", more: { level: 2 } }, false],
  ])("with unbalanced brackets, where its arguments %s", (_, args, runs) => {
    const call = called("set_lamp", args);
    call.repaired("missing-bracket");
    expect([call.isUnbalanced, Array.isArray(ended(call))]).toEqual([true, !runs]);
  });

  test("with unbalanced brackets and a comment, which may contain some", () => {
    const call = called("set_lamp", { room: "a" });
    call.repaired("extra-bracket");
    call.repaired("comment");
    expect(ended(call)).toMatchObject([
      "malformed",
      expect.stringContaining("a bracket is missing or one is too many"),
    ]);
  });

  test("was cut off, or is broken at a place", () => {
    called("set_lamp").truncate(raw);
    called("now").fail("no bracket", raw, "limit");
    expect(events.flatMap((event) => (event.type === "call-invalid" ? event.call.error.code : []))).toEqual([
      "truncated",
      "limit",
    ]);
    expect(reasonWith("no bracket", "abc".repeat(20), 1)).toBe('no bracket, found "bcabcabcabcabcabcabc"');
    expect(reasonWith("no bracket", "abc", 3)).toBe("no bracket");
  });
});

describe("a call that may be data", () => {
  test("is doubtful without known tools if it has only a name, and as a key if it does not match", () => {
    const unknown = called("later", undefined, "unknown");
    const [known, keyed] = [called("now"), begin()];
    keyed.setKey("set_lamp");
    for (const call of [unknown, known, keyed]) call.finish(raw);
    expect([unknown, known, keyed].map(({ isDoubtful }) => isDoubtful)).toEqual([true, false, true]);
  });

  test("is not doubtful once it has a name", () => {
    const call = begin();
    call.doubtIf(true);
    call.doubtIf(false);
    expect(call.isDoubtful).toBe(true);
    call.setName("now");
    expect(call.isDoubtful).toBe(false);
  });

  test("may be an answer if its tool does not exist", () => {
    expect(called("final_answer", { answer: "Noon." }).answer).toBe("Noon.");
    expect(called("final_answer", { answer: "Noon." }, [{ name: "final_answer" }]).answer).toBeUndefined();
    expect(begin().answer).toBeUndefined();
  });
});

test("a call knows the names and values of its arguments so far, and other tools", () => {
  const call = called("set_lamp", { room: "attic", more: { x: [1] } });
  expect([call.has("room"), call.has("level"), call.has("toString")]).toEqual([true, false, false]);
  expect([call.hasAll({ more: { x: [1] } }), call.hasAll({ room: "b" }), call.hasAll({ level: undefined })]).toEqual([
    true,
    false,
    false,
  ]);
  expect([call.isOther("now"), call.isOther("setLamp"), call.isOther("later")]).toEqual([true, false, false]);
  expect([call.isNamed, call.isStarted, called("later").isStarted, begin().isNamed]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

describe("the aliases of a body", () => {
  const names = new Aliases(new Map([["set_lamp", "l"]]), new Map([["l", "set_lamp"]]));
  const keys = new Aliases(
    new Map([
      ["room", "r"],
      ["level", "v"],
    ]),
    new Map([
      ["r", "room"],
      ["v", "level"],
    ]),
  );
  const aliased = (written: string, args: unknown) => {
    const call = begin();
    call.setName(written, () => ({ tools: names, parameters: () => keys }));
    emitValue(args, call.argumentSink());
    call.finish(raw);
    return events.at(-1);
  };

  test("are read without a repair", () => {
    const event = aliased("l", { r: "attic" });
    expect(event).toMatchObject({ call: { name: "set_lamp", arguments: { room: "attic" } } });
    expect(event).not.toHaveProperty("call.repairs");
  });

  test("are what the feedback names", () => {
    const feedback = (event: ReplyEvent | undefined) =>
      event?.type === "call-invalid" ? event.call.error.feedback : "";
    expect(feedback(aliased("l", { r: "attic", v: [] }))).toMatch(/\bl\b[\s\S]*\bv\b/);
    expect(feedback(aliased("l", { r: "attic", v: [] }))).not.toMatch(/set_lamp|level/);
    expect(feedback(aliased("x", {}))).not.toMatch(/set_lamp/);
  });
});
