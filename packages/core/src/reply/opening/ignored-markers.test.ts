import { describe, expect, test } from "vitest";
import { Input } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { turnsAfterCalls } from "../../syntax/turn-tokens.js";
import type { ReplyEvent } from "../../types.js";
import { ToolTable } from "../arguments/tool-table.js";
import { TextOutput } from "../output/text-output.js";
import { labelledTurn } from "./bare-role.js";
import { type IgnoredMarker, IgnoredMarkers } from "./ignored-markers.js";

interface Setting {
  /** The number of calls before the marker. */
  calls?: number;
  hadEmptyList?: boolean;
  hasProse?: boolean;
  /** Whether text comes between the last markup and the marker. */
  hasTextBefore?: boolean;
  beginsLine?: boolean;
  final?: boolean;
  /** The markers that were dropped before. */
  dropped?: IgnoredMarker[];
}

function markersIn({
  calls = 0,
  hadEmptyList = false,
  hasProse = false,
  hasTextBefore = false,
  beginsLine = true,
  dropped = [],
}: Setting) {
  const events: ReplyEvent[] = [];
  const output = new TextOutput(events);
  if (calls > 0 || dropped.length > 0) output.markup();
  const sequence = { count: calls, hadEmptyList };
  const found = new IgnoredMarkers(
    {
      input: new Input(),
      output,
      calls: sequence,
      tools: ToolTable.of([{ name: "model" }]),
      compiled: { turns: { own: new Set(), any: new Set() } },
    },
    {
      hasProse: () => hasProse,
      isBlank: () => !hasTextBefore,
      beginsLine: () => beginsLine,
      longEnd: () => "",
    },
    (look, at) => look.has("<call>", at),
  );
  for (const marker of dropped) found.dropped(marker);
  return found;
}

/** Whether a marker before a text is markup; `more`: more input is needed. */
function isMarkup(
  where: IgnoredMarker["where"],
  rest: string,
  setting: Setting = {},
  marker = "</c>",
): boolean | "more" {
  const look = new Lookahead({ text: marker + rest, final: setting.final ?? true });
  const answer = markersIn(setting).isMarkup(look, { marker, opens: "nothing", where }, 0);
  return look.hitEnd ? "more" : answer;
}

describe("a marker without a meaning is markup", () => {
  type Case = [string, IgnoredMarker["where"], string, Setting, boolean];
  test.each<Case>([
    ["anywhere, even in text", "anywhere", " and more", { hasProse: true, hasTextBefore: true }, true],
    ["around calls", "around-calls", " and more", { hasProse: true }, true],
    ["around an answer where a line begins", "around-answer", " and", { beginsLine: true }, true],
    ["around an answer, but not within a line", "around-answer", " and", { beginsLine: false }, false],
    ["at the start, before text and calls", "start", " and", {}, true],
    ["at the start, but not after text", "start", " and", { hasProse: true }, false],
    ["at the start, but not after a call", "start", " and", { calls: 1 }, false],
    ["at the end of a line", "line-end", "\nand", { hasProse: true }, true],
    ["at the end of a line before a call", "line-end", " <call>", { hasProse: true }, true],
    ["at the end of a line before any text", "line-end", " and", {}, true],
    ["at the end of a line, but not within one", "line-end", " and", { hasProse: true }, false],
    ["at the end of the reply", "end", " \n", { hasProse: true }, true],
    ["at the end of the turn", "end", "<|im_end|>", { hasProse: true }, true],
    ["at the end, but not before text", "end", "\nand", {}, false],
    ["at the end, before another turn after a call", "end", "<|user|>and", { calls: 1 }, true],
    ["directly after a call", "after-call", " and", { calls: 1 }, true],
    ["after an empty list of calls", "after-call", "\nand", { hadEmptyList: true, hasTextBefore: true }, true],
    ["after a call, but not within text", "after-call", " and", { calls: 1, hasTextBefore: true }, false],
    ["after a call at the end of the reply", "after-call", "", { calls: 1, hasTextBefore: true }, true],
    ["alone on the first line, before an object", "after-call", "\n{", {}, true],
    ["alone on the first line, but not before words", "after-call", "\nand", {}, false],
    ["alone on a line, but not after text", "after-call", "\n{", { hasProse: true }, false],
    ["after an element around calls, but not without one", "after-around", "", {}, false],
  ])("%s", (_, where, rest, setting, wanted) => expect(isMarkup(where, rest, setting)).toBe(wanted));

  test("as a token after a call, also within text", () => {
    const within = { calls: 1, hasTextBefore: true };
    expect([isMarkup("after-call", " and", within, "<|c|>"), isMarkup("after-call", " and", within, "<c>")]).toEqual([
      true,
      false,
    ]);
  });

  test("as the closing tag of an element that is open", () => {
    const open = (where: "around-calls" | "around-answer" | "start"): IgnoredMarker => ({
      marker: "<c>",
      opens: "nothing",
      where,
    });
    const closing: IgnoredMarker = { marker: "</c>", opens: "nothing", where: "after-around" };
    const after = (...dropped: IgnoredMarker[]) => isMarkup("after-around", "\nand", { dropped, hasTextBefore: true });
    expect([after(open("around-calls")), after(open("around-answer")), after(open("start"))]).toEqual([
      true,
      true,
      false,
    ]);
    expect([after(open("around-calls"), closing), after({ ...closing, marker: "[/c]" })]).toEqual([false, false]);
    expect(isMarkup("after-around", " and", { dropped: [open("around-calls")], hasTextBefore: true })).toBe(false);
  });

  test.each<[IgnoredMarker["where"], string, Setting]>([
    ["line-end", "", { hasProse: true }],
    ["line-end", " <ca", { hasProse: true }],
    ["end", " ", {}],
    ["end", "<|im_", {}],
    ["after-call", "", {}],
    ["after-call", "\n", {}],
  ])("perhaps where the text ends: %s, %j", (where, rest, setting) =>
    expect(isMarkup(where, rest, { ...setting, final: false })).toBe("more"),
  );

  test.each(["line-end", "end"] as const)("not before more space than any format has: %s", (where) =>
    expect(isMarkup(where, " ".repeat(70), { hasProse: true, final: false })).toBe(false),
  );
});

describe("the beginning of another turn", () => {
  const [span] = turnsAfterCalls;
  const look = new Lookahead({ text: "", final: true });
  const turn = { marker: "<|user|>", opens: "span", span: span! } as const;

  test("opens one directly after a call, and elsewhere ends the reply's", () => {
    expect(markersIn({ calls: 1 }).turnAt(look, turn, 0)).toEqual({ ...turn, span: labelledTurn, isPart: true });
    const ends = { marker: "<|user|>", opens: "nothing", where: "end" };
    expect([
      markersIn({}).turnAt(look, turn, 0),
      markersIn({ calls: 1, hasTextBefore: true }).turnAt(look, turn, 0),
    ]).toEqual([ends, ends]);
  });

  test("is no other opening", () => {
    const other = { marker: "<think>", opens: "span", span: { open: "<think>", as: "reasoning" } } as const;
    expect([markersIn({}).turnAt(look, other, 0), markersIn({}).turnAt(look, undefined, 0)]).toEqual([
      other,
      undefined,
    ]);
  });

  test("is a role alone directly after a call, if no tool has that name", () => {
    const bare = (text: string, setting: Setting) =>
      markersIn(setting).bareTurnAt(new Lookahead({ text, final: true }), 0);
    expect(bare("assistant\n", { calls: 1 })).toEqual({
      marker: "assistant",
      opens: "span",
      span: labelledTurn,
      isPart: true,
    });
    expect([bare("assistant\n", {}), bare("model\n", { calls: 1 }), bare("words\n", { calls: 1 })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
