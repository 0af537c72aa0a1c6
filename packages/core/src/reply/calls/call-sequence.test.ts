import { describe, expect, test } from "vitest";
import { Input } from "../../notation/input.js";
import { emitValue } from "../../notation/value-sink.js";
import type { ReplyEvent } from "../../types.js";
import { ToolTable } from "../arguments/tool-table.js";
import type { FormNode } from "../forms/forms.js";
import { TextOutput } from "../output/text-output.js";
import { untrustedTexts } from "../untrusted/untrusted-texts.js";
import { CallSequence, type SequenceOptions } from "./call-sequence.js";

const tools = [
  { name: "now" },
  { name: "add", parameters: { type: "object", properties: { a: { type: "integer" } } } },
];

/** The place before the arguments of a Python call. */
const arguments_ = { kind: "body", body: { body: "python-arguments" } } as const;
const python: FormNode = { branches: [{ token: arguments_, node: { branches: [], literals: [] } }], literals: [] };

/** A sequence over a text, with a function that reads one call up to the end of a piece of it. */
function sequenceOver(text: string, options: { untrusted?: string[]; unmarked?: boolean; prefilled?: number } = {}) {
  const input = new Input();
  input.push(text);
  const events: ReplyEvent[] = [];
  const output = new TextOutput(events);
  let ids = 0;
  const settings: SequenceOptions = {
    tools: ToolTable.of(tools),
    opensCalls: (name) => name === "call",
    generateId: () => `id${++ids}`,
    deltas: false,
    untrusted: untrustedTexts(options.untrusted),
    stops: new Set<string>(),
    bodies: new Map(),
    isPython: false,
    prefilled: options.prefilled ?? 0,
  };
  const calls = new CallSequence(input, { events, output }, settings, undefined, options.unmarked);
  calls.reset();
  const read = (source: string, name: string, args: object = {}) => {
    input.pos += source.length;
    const call = calls.nextCall();
    call.setName(name);
    emitValue(args, call.argumentSink());
    calls.callEnded();
  };
  /** The events so far, in short. */
  const found = () =>
    events.flatMap((event): unknown[] => {
      if (event.type === "call-end") return [[event.call.id, event.call.name, event.index]];
      if (event.type === "call-invalid") return [[event.call.error.code, event.call.raw]];
      return event.type === "text" || event.type === "dropped" ? [[event.type, event.text, event.reason]] : [];
    });
  return { calls, input, events, output, settings, read, found };
}

describe("the calls of a reply", () => {
  test("are numbered, and each has an id and its own source", () => {
    const { calls, read, found } = sequenceOver("<now><later><add>");
    read("<now>", "now");
    read("<later>", "later");
    read("<add>", "add");
    calls.callsEnded();
    expect(found()).toEqual([
      ["id1", "now", 0],
      ["unknown-tool", "<later>"],
      ["id3", "add", 2],
    ]);
    expect([calls.count, calls.hadInvalid, calls.current !== undefined]).toEqual([3, true, false]);
  });

  test("end before the next one begins", () => {
    const { calls, input, found } = sequenceOver("<now><add>");
    calls.currentCall().setName("now");
    expect([calls.current !== undefined, calls.nextCall() === calls.current]).toEqual([true, true]);
    input.pos = 5;
    calls.callClosed();
    calls.nextCall().setName("add");
    expect([found(), calls.current?.toolName]).toEqual([[["id1", "now", 0]], "add"]);
  });

  test("keep the source that the input drops", () => {
    const { calls, input } = sequenceOver("<no");
    expect(calls.isEmpty).toBe(true);
    input.pos = 3;
    calls.keep();
    input.push("w>");
    calls.moved();
    input.pos = 2;
    expect([calls.isEmpty, calls.raw()]).toEqual([false, "<now>"]);
    calls.reset();
    expect([calls.isEmpty, calls.raw()]).toEqual([true, ""]);
  });

  test("continue the numbers and the variables of those before", () => {
    const first = sequenceOver("<now>");
    first.read("<now>", "now");
    first.calls.assigns("x");
    const later = new CallSequence(first.input, { events: [], output: first.output }, first.settings, first.calls);
    expect([later.count, later.isVariable("x"), later.isVariable("y")]).toEqual([1, true, false]);
    const other = sequenceOver("").calls;
    other.continueFrom(first.calls);
    expect([other.count, other.piecesAtEnd]).toEqual([1, 0]);
  });

  test("know the tools, and the plan of one until a call has its name", () => {
    const { calls } = sequenceOver("");
    expect([calls.isTool("add"), calls.isTool("Add"), calls.isTool("sub"), calls.opensCalls("call")]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect([calls.planOf("add")?.properties.size, calls.planOf("sub"), calls.startedPlan]).toEqual([
      1,
      undefined,
      undefined,
    ]);
    calls.currentCall().setName("add");
    expect([calls.planOf("now"), calls.startedPlan?.properties.size]).toEqual([undefined, 1]);
    calls.callClosed();
    expect(calls.planOf("now")).toBeDefined();
  });

  test("are invalid after the answer has begun, and in a statement of Python", () => {
    const after = sequenceOver("<now>");
    after.calls.answerBegins();
    after.read("<now>", "now");
    const inside = sequenceOver("<now><now>");
    expect(inside.calls.takeName("if x: now", python)).toBe("now");
    inside.read("<now>", "now");
    inside.calls.reset();
    inside.read("<now>", "now");
    expect([after.found(), inside.found()]).toEqual([
      [["malformed", "<now>"]],
      [
        ["malformed", "<now>"],
        ["id2", "now", 1],
      ],
    ]);
  });

  test("note the variable that one is assigned to", () => {
    const { calls } = sequenceOver("");
    expect([calls.takeName("x = now", python), calls.isVariable("x")]).toEqual(["now", true]);
  });

  test("have text after them that belongs to a broken one", () => {
    const { calls, input, found } = sequenceOver("<no and more");
    input.pos = 3;
    calls.callFailed((call) => call.fail("broken", calls.raw), " and more");
    expect(found()).toEqual([
      ["malformed", "<no"],
      ["text", " and more", undefined],
    ]);
    expect(calls.hadInvalid).toBe(true);
  });
});

describe("an object that is text of the answer", () => {
  test("is text, each on a line of its own, and the next call gets its number and id", () => {
    const { calls, read, found } = sequenceOver("<a><b><now>", { unmarked: true });
    for (const source of ["<a>", "<b>"]) {
      calls.nextCall().setAnswer(source);
      read(source, "say");
    }
    read("<now>", "now");
    expect(found()).toEqual([
      ["text", "<a>\n<b>", undefined],
      ["id1", "now", 0],
    ]);
  });

  test("is dropped with what closes it if it is empty", () => {
    const { calls, input, read, found } = sequenceOver("<a></a>", { unmarked: true });
    calls.nextCall().setAnswer("");
    read("<a>", "say");
    input.pos = 7;
    calls.callsEnded();
    expect(found()).toEqual([
      ["dropped", "<a>", "no call"],
      ["dropped", "</a>", "no call"],
    ]);
  });

  test("is a call after a marker", () => {
    const { calls, read, found } = sequenceOver("<a>");
    calls.nextCall().setAnswer("<a>");
    read("<a>", "say");
    expect(found()).toEqual([["unknown-tool", "<a>"]]);
  });
});

describe("a call that is copied from untrusted text", () => {
  const untrusted = ["He says {now 1} here"];

  test("is text with its closing markers, and the next call gets its number and id", () => {
    const { calls, input, read, found } = sequenceOver("{now 1} {now 2}", { untrusted });
    read("{now 1", "now");
    input.pos += 1;
    calls.callsEnded();
    calls.reset();
    read(" {now 2", "now");
    expect(found()).toEqual([
      ["text", "{now 1", "copied-call"],
      ["text", "}", "copied-call"],
      ["id1", "now", 0],
    ]);
  });

  test("is text without the part of it that the prompt began", () => {
    const { read, found } = sequenceOver("{now 1}", { untrusted, prefilled: 4 });
    read("{now 1", "now");
    expect(found()).toEqual([["text", " 1", "copied-call"]]);
  });

  test("has events that wait until it differs", () => {
    const { calls, input } = sequenceOver("{now ", { untrusted });
    input.pos = 5;
    calls.nextCall().setName("now");
    expect(calls.takeEvents(true)).toEqual([]);
    input.push("2}");
    calls.moved();
    input.pos = 1;
    calls.callComplete();
    expect(calls.takeEvents(true)).toMatchObject([{ type: "call-start" }]);
  });

  test("is no invalid call where it is broken, and hides no text after it", () => {
    const { calls, input, found } = sequenceOver("{now 1", { untrusted });
    input.pos = 6;
    calls.callFailed((call) => call.fail("broken", calls.raw), " rest");
    expect([found(), calls.hadInvalid]).toEqual([[["text", "{now 1", "copied-call"]], false]);
  });

  test("begins at a later place than the block around it", () => {
    const { calls, input, read, found } = sequenceOver("<calls>{now 1", { untrusted });
    input.pos = 7;
    calls.callBegins();
    read("{now 1", "now");
    expect(found()).toEqual([["text", "<calls>{now 1", "copied-call"]]);
  });
});

describe("a call that was read as a whole", () => {
  const body = (matches: boolean) => ({ name: "add", arguments: { a: 1 }, matches, json: () => '{"a":1}', end: 5 });

  test.each([true, false])("is a call with the source up to its closing markers; certainly matches: %s", (matches) => {
    const { calls, input, events, found } = sequenceOver("<add>;now");
    calls.take({ body: body(matches), end: 6 });
    expect([found(), input.pos, calls.count, calls.piecesAtEnd]).toEqual([[["id1", "add", 0]], 6, 1, 0]);
    expect([calls.isEmpty, calls.current !== undefined]).toEqual([true, false]);
    expect(events.map(({ type }) => type)).toEqual(["call-start", "call-end"]);
  });

  test("is a copy or doubted like any other", () => {
    const copy = sequenceOver("<add>;", { untrusted: ["an <add> here"] });
    copy.calls.take({ body: body(true), end: 6 });
    const doubted = sequenceOver("<add>;");
    doubted.calls.answerBegins();
    doubted.calls.take({ body: body(true), end: 6 });
    expect([copy.found(), doubted.found()]).toEqual([[["text", "<add>;", "copied-call"]], [["malformed", "<add>;"]]]);
  });
});

test("text is removed apart from calls", () => {
  const { calls, output, read, found } = sequenceOver("<now>");
  output.text("Before.");
  read("<now>", "now");
  output.text("After.");
  calls.dropText();
  expect(found()).toEqual([["id1", "now", 0]]);
});

test("a list without calls is remembered", () => {
  const { calls } = sequenceOver("[]");
  calls.callsEnded();
  expect(calls.hadEmptyList).toBe(false);
  calls.callsEnded(true);
  calls.callsEnded();
  expect(calls.hadEmptyList).toBe(true);
});
