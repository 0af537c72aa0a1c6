import { beforeEach, describe, expect, test } from "vitest";
import { LOOKAHEAD } from "../../notation/input.js";
import type { ReplyEvent } from "../../types.js";
import { TextOutput } from "./text-output.js";

let events: ReplyEvent[] = [];
let output = new TextOutput(events);
beforeEach(() => {
  events = [];
  output = new TextOutput(events);
});

/** Writes pieces of text; `undefined` is a call or a span. */
function write(...pieces: (string | undefined)[]): string {
  for (const piece of pieces) {
    if (piece === undefined) output.markup();
    else output.text(piece);
  }
  output.end();
  return events.map((event) => ("text" in event ? event.text : "")).join("");
}

describe("a comma or semicolon after a call", () => {
  test.each<[string, (string | undefined)[], string]>([
    ["is dropped if another one follows", ["Yes.", undefined, ", ", undefined], "Yes., "],
    ["is text before other text", [undefined, ",", " and", " then"], ", and then"],
    ["is text at the end, with the space before it", ["Yes.", undefined, " ; "], "Yes. ; "],
    ["is text where more punctuation follows", [undefined, ";", ";"], ";;"],
  ])("%s", (_, pieces, wanted) => expect(write(...pieces)).toBe(wanted));

  test("is in an event of its own", () => {
    write(undefined, ",\n", undefined, "No.");
    expect(events).toEqual([
      { type: "dropped", text: ",\n", reason: "markup around a call" },
      { type: "text", text: "No." },
    ]);
  });
});

describe("white space around a call", () => {
  test.each<[string, (string | undefined)[], string]>([
    ["belongs to the call at the end", ["Yes.\n\n", undefined], "Yes."],
    ["belongs to the call at the beginning", [undefined, "\n\nYes."], "Yes."],
    ["separates two texts as it is before the call", ["Yes.\n\n", undefined, " No."], "Yes.\n\nNo."],
    [
      "separates two texts as it is after the call, if none is before it",
      ["Yes.", undefined, " ", undefined, "\nNo."],
      "Yes. No.",
    ],
    ["is none between texts without any", ["Yes.", undefined, "No."], "Yes.No."],
    ["is text without a call", ["Yes. \n", "\n"], "Yes. \n\n"],
    ["is text before any other text", [" \nYes."], " \nYes."],
    ["is the first between several calls", ["Yes.\n", undefined, "\n\n", undefined, "No."], "Yes.\nNo."],
  ])("%s", (_, pieces, wanted) => expect(write(...pieces)).toBe(wanted));

  test("is limited after it, and text as far as it is longer before it", () => {
    const space = " ".repeat(LOOKAHEAD + 6);
    expect(write("Yes.", space, undefined)).toBe(`Yes.${" ".repeat(6)}`);
    events.length = 0;
    expect(write(undefined, space, "No.")).toBe(`${space.slice(6)}No.`);
  });

  test("is the same in any pieces", () => {
    const text = "Yes. \n";
    expect(write(...text, undefined, ..."\n No.")).toBe("Yes. \nNo.");
  });
});

describe("the events of text", () => {
  test("are joined if they are of one kind and reason", () => {
    output.text("a");
    output.text("b");
    output.text("c", "copied-call");
    output.reasoning("d");
    output.reasoning("e");
    output.dropped("f", "no call");
    output.dropped("g", "an empty list of calls");
    output.reasoning("");
    expect(events).toEqual([
      { type: "text", text: "ab" },
      { type: "text", text: "c", reason: "copied-call" },
      { type: "reasoning", text: "de" },
      { type: "dropped", text: "f", reason: "no call" },
      { type: "dropped", text: "g", reason: "an empty list of calls" },
    ]);
    expect([output.pieces, output.prosePieces, output.prose]).toEqual([7, 3, true]);
  });

  test("are not joined to those that are apart", () => {
    output.text("a");
    output.eventsApart = 1;
    output.text("b");
    output.text("c");
    expect(events).toEqual([
      { type: "text", text: "a" },
      { type: "text", text: "bc" },
    ]);
  });

  test("have the value of an answer that is not a string", () => {
    output.value({ a: 1 });
    output.value(undefined);
    expect(events).toMatchObject([{ type: "text", text: '{"a":1}null' }]);
    events.length = 0;
    output.text("So: ");
    output.value([2]);
    expect(events).toEqual([{ type: "text", text: "So: [2]", value: [2] }]);
  });
});

describe("the text so far", () => {
  test("since the last markup is the same, however much of it is written", () => {
    const text = `Yes.\n No.${" ".repeat(LOOKAHEAD - 9)} \n//`;
    for (let end = 0; end < text.length; end++) {
      const whole = new TextOutput([]).before(text);
      for (const pieces of [[text.slice(0, end)], [...text.slice(0, end)]]) {
        output = new TextOutput([]);
        output.text("before");
        output.markup();
        for (const piece of pieces) output.text(piece);
        expect(output.before(text.slice(end))).toBe(whole);
        expect(output.beginsLine(text.slice(end))).toBe(new TextOutput([]).beginsLine(text));
      }
    }
  });

  test("begins a line after a line break or markup, and where the reply begins", () => {
    expect(
      ["", " ", "a", "\n", "a\n  ", "a\nb", " ".repeat(LOOKAHEAD)].map((piece) => output.beginsLine(piece)),
    ).toEqual([true, true, false, true, true, false, false]);
    output.text("a");
    expect(["", " ", "\n"].map((piece) => output.beginsLine(piece))).toEqual([false, false, true]);
    output.text("\n");
    expect([output.beginsLine(""), output.beginsLine("b")]).toEqual([true, false]);
    output.text("b");
    output.markup();
    expect([output.beginsLine(""), output.beginsLine(" "), output.afterMarkup]).toEqual([true, true, true]);
    output.text("c");
    expect(output.afterMarkup).toBe(false);
  });

  test("is forgotten", () => {
    output.text("a\n");
    output.reset();
    expect([output.prose, output.beginsLine("")]).toEqual([false, true]);
    expect(write()).toBe("a");
  });
});

test("a comma after markup is text until it is known to separate calls", () => {
  output = new TextOutput([]);
  output.markup();
  output.text(",");
  expect([output.prose, output.afterMarkup]).toEqual([true, false]);
  output.markup();
  expect([output.prose, output.afterMarkup]).toEqual([false, true]);
});
