import { protocols, type ReplyEvent } from "../../src/index.js";
import { markersIn } from "../../src/syntax/markers.js";
import { REASONING_NAME } from "../../src/syntax/reasoning-spans.js";
import { formsOf, spansOf } from "../../src/syntax/syntax.js";
import { turnEndTokens, turnSpans } from "../../src/syntax/turn-tokens.js";
import type { Reply } from "./reply.js";

// Events carry no positions, so that every character of a reply is in exactly one of them is checked by reading the
// reply along its events: the texts of the events and the sources of broken calls must follow on one another in the
// reply. Between them only white space, the markers of spans, and, where a call was made, its source are allowed; around
// a broken call, what is markup of the block that it is in.

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

const syntaxes = Object.values(protocols).map(({ syntax }) => syntax);
const literal = [
  ...new Set([
    ...syntaxes.flatMap((syntax) => spansOf(syntax).flatMap(({ open, close }) => [open, close ?? ""])),
    ...turnSpans.map(({ open }) => open),
    ...turnEndTokens,
    ...syntaxes.flatMap(({ turns = [] }) => turns),
    ...syntaxes.flatMap(({ messages }) => (messages ? [...messages.open, messages.text, ...messages.close] : [])),
  ]),
].filter((text) => text !== "");
const labels = literal.filter((text) => text.endsWith(":"));
const headers = [...new Set(syntaxes.flatMap(({ messages }) => messages?.text ?? []))];

const betweenEvents = [
  "\\s",
  // Models write space within a tag.
  ...literal.map((text) => escaped(text).replace(/>$/, "\\s*>")),
  // The end of reasoning in another spelling.
  `[<[◁]\\|?[ \\t]?[/\\\\]?[ \\t]?\\|?(?:[a-z]{1,16}:)?${REASONING_NAME}[ \\t]?\\|?[>\\]▷]`,
  ...labels.map((label) => `[ \\t*_#>-]*${escaped(label.slice(0, -1))}[ \\t*_\\d]*:[*_]*`),
  ...headers.map((end) => `(?:<\\|\\w*\\|>|[\\p{L}\\p{M}\\p{N}_.:=,/\\-\\s])*?${escaped(end)}`),
];
/** The end markers of a form or a block, piece by piece, and alternatives around calls. */
const aroundCalls = [
  ...new Set(
    syntaxes
      .flatMap(formsOf)
      .flatMap(({ call, block }) => [...call, ...(block ? [block.open, block.separator, block.close] : [])])
      .flatMap((part) => (typeof part === "string" ? [...part.split(/(?<=>)|(?=<)/), ...markersIn(part)] : []))
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  ),
]
  .sort((a, b) => b.length - a.length)
  .map(escaped);

const sticky = (alternatives: readonly string[]) => new RegExp(alternatives.join("|"), "iuy");
/**
 * The text allowed between two events: a space, the marker of a span in any spelling, a label, a header of a message.
 */
const SKIPPED = sticky(betweenEvents);
/** The text also allowed before and after a broken call. */
const SKIPPED_AT_CALL = sticky([
  "#[^\\n]*",
  "```(?:\\w+(?=[\\s{[]))?",
  // A list mark, inline code, emphasis, a backslash of Markdown.
  "(?:[-*+•]|\\d{1,2}[.)])(?=\\s)",
  "`{1,2}",
  "\\*{2}",
  "\\\\(?=[[{\\]}])",
  "<\\/[^<>]*>",
  "<[a-z][\\w-]*>",
  ...aroundCalls,
  "[,;\\]})]",
]);

const isSpace = (char: string) => char.trim() === "";

/** What keeps the events from being the reply, or undefined. */
export function uncovered({ text, characters, options, whole }: Reply): string | undefined {
  // An answer that is a string inside JSON is that string, not its source.
  if (/final/i.test(text)) return undefined;
  const prefill = options.prefill ?? "";
  const source = prefill + text;
  if (followed(source, prefill.length, characters)) return undefined;
  const inPrefill = Array.from({ length: prefill.length + 1 }, (_, i) => i);
  let ends = new Set(inPrefill);
  let atCall = false;
  for (const event of characters) {
    // The rest of a prefill is in no event.
    const least = Math.min(...ends);
    if (least < prefill.length) ends = new Set([...ends, ...inPrefill.slice(least)]);
    if (event.type === "call-end") ends = after(ends, source.length);
    atCall ||= event.type === "call-invalid";
    for (const char of pieceOf(event)) {
      if (isSpace(char)) continue;
      const next = new Set<number>();
      for (const end of skipped(ends, source, atCall)) if (source.startsWith(char, end)) next.add(end + char.length);
      if (next.size === 0) {
        const at = Math.min(...ends) - prefill.length;
        return `${JSON.stringify(char)} of ${JSON.stringify(event)} is not what comes after index ${at}`;
      }
      ends = next;
    }
    if ("text" in event && event.text.trim() !== "") atCall = false;
  }
  if (skipped(ends, source, atCall).has(source.length)) return undefined;
  return `what comes after index ${Math.max(...ends) - prefill.length} is in none of ${JSON.stringify(whole)}`;
}

/** Whether a reply without calls is its events on the shortest way, which is quickly seen. */
function followed(source: string, from: number, events: readonly ReplyEvent[]): boolean {
  let at = from;
  const over = (wanted: string) => {
    while (at < source.length && (wanted === "" || !source.startsWith(wanted, at))) {
      SKIPPED.lastIndex = at;
      const match = SKIPPED.exec(source);
      if (!match) return false;
      at += match[0].length;
    }
    return true;
  };
  for (const event of events) {
    if (event.type === "call-end") return false;
    for (const char of pieceOf(event)) {
      if (isSpace(char)) continue;
      if (!over(char)) return false;
      at += char.length;
    }
  }
  return over("");
}

function pieceOf(event: ReplyEvent): string {
  if ("text" in event) return event.text;
  return event.type === "call-invalid" ? event.call.raw : "";
}

/** Every index after the first of some. */
function after(indexes: ReadonlySet<number>, length: number): Set<number> {
  const all = new Set<number>();
  for (let i = Math.min(...indexes) + 1; i <= length; i++) all.add(i);
  return all;
}

/** These indexes, and those after the text that may be skipped. */
function skipped(indexes: ReadonlySet<number>, source: string, atCall: boolean): Set<number> {
  const patterns = atCall ? [SKIPPED, SKIPPED_AT_CALL] : [SKIPPED];
  const all = new Set(indexes);
  for (const index of all) {
    for (const pattern of patterns) {
      pattern.lastIndex = index;
      const match = pattern.exec(source);
      if (match) all.add(index + match[0].length);
    }
    // What follows a fence may be its language, or text.
    if (atCall && source.startsWith("```", index)) all.add(index + 3);
    // One marker may be the beginning of another: `<tool_result` and `<tool_result>`.
    for (const marker of literal) if (source.startsWith(marker, index)) all.add(index + marker.length);
  }
  return all;
}
