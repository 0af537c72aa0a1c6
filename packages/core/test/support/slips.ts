import { BLANKS, wholeSlips } from "./whole-slips.js";

/** A reply with one slip in it, and where the slip is. */
export interface Slip {
  kind: SlipKind;
  text: string;
  at: number;
  /** The inserted text: inside a value that is raw text, it is part of that value. */
  added: readonly string[];
}

export type SlipKind = (typeof slipKinds)[number];

/** What models do to a well-formed reply, one slip at a time. */
export const slipKinds = [
  "drop a marker",
  "lose the closers",
  "lose a tag's end",
  "space in a tag",
  "double a marker",
  "misspell a marker",
  "other case",
  "swap a quote",
  "swap a separator",
  "trailing comma",
  "extra closer",
  "insert a comment",
  "insert a quote",
  "split an object",
  "open a brace",
  "comment on one line",
  "insert a fence",
  "insert prose",
  "insert a call",
  "wrap in an element",
  "repeat with another value",
  "rename a doubled key",
  "escape once more",
  "quote a part",
  "lose a backslash",
  "package the reply",
  "escape for Markdown",
  "mix element spellings",
  "leave text alone",
  "remove quotes",
  "other brackets",
  "other blanks",
  "double a name",
  "respell a key",
  "fill in a description",
  "decode an entity",
  "cut off",
] as const;

/** A marker, bracket, quote or separator of the wire format. */
interface Token {
  text: string;
  at: number;
  end: number;
  /** Whether the places before and after it belong to neither a value nor a name. */
  isFreeBefore: boolean;
  isFreeAfter: boolean;
}

// The mark of MiniMax M3 is one token of the model, which is before a tag or stands alone.
const TOKEN =
  /\]<\]minimax\[>\[(?:<\/?[^<>]*>)?|\[unused\d+\]|<\|"\|>|<\/[^<>]*>|<[^<>\s"'=]+(?:=[^<>"'\s]*|\s[\w:.-]+="[^"<>]*")?>|<[^<>\s"'=]+(?:\s[\w:.-]+=)?|\/?>|\[\/?[A-Z_]+\]|```\w*|["'`{}[\](),:=]|[\w-]+:(?=\s)/gu;

/** The tokens of a reply whose values and names are letters, digits and spaces: all else is the format's. */
function tokensOf(text: string): Token[] {
  const found = [...text.matchAll(TOKEN)];
  return found.map((match, i) => {
    const at = match.index;
    const end = at + match[0].length;
    const before = i === 0 ? text.slice(0, at) : text.slice(found[i - 1]!.index + found[i - 1]![0].length, at);
    const behind = text.slice(end, found[i + 1]?.index);
    const isFreeBefore = before.trim() === "" && !/["'=]/.test(found[i - 1]?.[0].slice(-1) ?? "");
    const isFreeAfter = behind.trim() === "" && !/["'=]/.test(match[0].slice(-1));
    return { text: match[0], at, end, isFreeBefore, isFreeAfter };
  });
}

const PAIRS: Record<string, string> = { "{": "}", "[": "]", "(": ")" };

/** The parts of a text between a bracket or tag and what closes it, these included. */
function groupsOf(text: string): { at: number; end: number; opener: string; closer: string }[] {
  const groups: { at: number; end: number; opener: string; closer: string }[] = [];
  const open: { at: number; text: string; closer: string }[] = [];
  for (const match of text.matchAll(/<(\/?)([\w:.｜▁-]+)[^<>]*?(\/?)>|[{}[\]()]/gu)) {
    const [whole, slash, name, empty] = match;
    if (name !== undefined && empty === "/") continue;
    const isOpener = name === undefined ? whole in PAIRS : slash === "";
    if (isOpener) {
      open.push({ at: match.index, text: whole, closer: name === undefined ? PAIRS[whole]! : name });
      continue;
    }
    const closer = name ?? whole;
    const found = open.findLastIndex((one) => one.closer === closer);
    if (found < 0) continue;
    const [opener] = open.splice(found);
    groups.push({ at: opener!.at, end: match.index + whole.length, opener: opener!.text, closer: whole });
  }
  return groups;
}

/** The input of a slip: the names in the reply, which are not markers, and another call to insert. */
interface Reply {
  text: string;
  /** From after the last value of each call to its end. */
  ends: readonly (readonly [number, number])[];
  names: readonly string[];
  other: string;
  /** A call of a tool that the reply has no call of. */
  next: string;
  /** Two values of the first argument: the one in the reply, and a possible replacement. */
  value: readonly [string, string] | undefined;
}

/** Every slip of every kind in every place of a reply. */
export function slipsOf({ text, ends, names, other, next, value }: Reply): Slip[] {
  const slips: Slip[] = [];
  const add = (kind: SlipKind, at: number, slipped: string, ...added: string[]) => {
    if (slipped !== text) slips.push({ kind, at, text: slipped, added });
  };
  const splice = (at: number, end: number, put: string) => text.slice(0, at) + put + text.slice(end);
  const tokens = tokensOf(text);
  const free = new Set(
    tokens.flatMap(({ at, end, isFreeBefore, isFreeAfter }) => [
      ...(isFreeBefore ? [at] : []),
      ...(isFreeAfter ? [end] : []),
    ]),
  );
  for (const token of tokens) {
    const { at, end } = token;
    // Without its name a value is a part of the one before it, where nothing else parts them; and so are two numbers.
    const joins = /\w/.test(text.charAt(at - 1)) && /\w/.test(text.charAt(end)) && token.text === ",";
    if (!joins && !/^[\w-]+:$/.test(token.text)) add("drop a marker", at, splice(at, end, ""));
    if (/^<.+>$/.test(token.text)) {
      add("lose a tag's end", at, splice(end - 1, end, ""));
      add("drop a marker", at, splice(end - 1, end, ""));
      add("drop a marker", at, splice(at, at + 1, ""));
    }
    if (/^<\/?[\w:.-]+[^<>|]*[=>]$/.test(token.text)) {
      const equals = at + token.text.indexOf("=");
      add("space in a tag", end - 1, splice(end - 1, end - 1, " "));
      if (equals >= at) add("space in a tag", equals, splice(equals, equals + 1, " = "));
    }
    add("double a marker", at, splice(end, end, token.text), token.text);
    const words = token.text.match(/[\p{L}_]{3,}/u);
    if (words && !names.some((name) => name.includes(words[0]) || words[0].includes(name))) {
      const word = at + words.index!;
      add("misspell a marker", at, splice(word + 1, word + 2, ""));
      add("misspell a marker", at, splice(word, word, "x"));
      add("other case", at, splice(word, word + words[0].length, words[0].toUpperCase()));
      add("other case", at, splice(word, word + 1, words[0].charAt(0).toUpperCase()));
    }
    for (const quote of [`"`, "'", "`", "“"]) {
      if (/^["'`]$/.test(token.text)) add("swap a quote", at, splice(at, end, quote));
    }
    if (/^[:=]$/.test(token.text))
      for (const separator of [":", "=", "=>"]) add("swap a separator", at, splice(at, end, separator));
    if (/^[}\])]$/.test(token.text)) add("trailing comma", at, splice(at, at, ","));
    if (/^[}\])]$/.test(token.text)) add("insert a quote", end, splice(end, end, '""'), '""');
    if (/^[}\])]$|^<\//.test(token.text))
      for (const closer of ["}", "]", ")", "</x>"]) add("extra closer", at, splice(at, at, closer), closer);
  }
  // A call that its markers do not close, or not all of them, and then another one.
  for (const [from, to] of ends) {
    const cuts = new Set([from, ...tokens.flatMap(({ end }) => [end - 1, end])]);
    for (const cut of [...cuts].filter((at) => at >= from && at < to)) {
      for (const between of ["", "\n", "\nThen this:\n"])
        add("lose the closers", cut, text.slice(0, cut) + between + next);
    }
  }
  for (const { at, end } of tokens.filter(({ text, isFreeAfter }) => text === "," && isFreeAfter)) {
    for (const split of ["}, {", "} {", "}; {", "}, ", ";", "]", "],"])
      add("split an object", at, splice(at, end, split), split);
    add("open a brace", at, splice(end, end, " {"), "{");
    for (const comment of [" // note, ", " # note, "])
      add("comment on one line", at, splice(at, end, comment), comment);
  }
  for (const at of free) {
    for (const quote of ['"', "'", "`"]) add("insert a quote", at, splice(at, at, quote), quote);
    for (const comment of ["<!-- note -->", "/* note */", "// note\n", "# note\n"])
      add("insert a comment", at, splice(at, at, comment), comment);
    for (const fence of ["\n```\n", "```json\n", "`"]) add("insert a fence", at, splice(at, at, fence), fence);
    for (const prose of ["\nDone now.\n", " Here it is: ", " I'll do that"])
      add("insert prose", at, splice(at, at, prose), prose);
    // In the middle of the arguments, nothing shows that more follow.
    if (ends.some(([from, to]) => at >= from && at <= to))
      for (const call of [other, `\n${other}\n`]) add("insert a call", at, splice(at, at, call));
  }
  for (const { at, end, opener, closer } of groupsOf(text)) {
    const group = text.slice(at, end);
    const inside = group.slice(opener.length, -closer.length);
    for (const name of ["x", "args", "arguments"]) {
      add("wrap in an element", at, splice(at, end, `<${name}>${group}</${name}>`), `<${name}>`, `</${name}>`);
      add(
        "wrap in an element",
        at,
        splice(at + opener.length, end - closer.length, `<${name}>${inside}</${name}>`),
        `<${name}>`,
        `</${name}>`,
      );
    }
    if (value && group.includes(value[0])) {
      const changed = group.replace(value[0], value[1]);
      for (const between of ["", ", ", "\n"]) {
        add("repeat with another value", at, splice(end, end, between + changed));
        add("repeat with another value", at, splice(at, at, changed + between));
      }
    }
    const escaped = JSON.stringify(group).slice(1, -1);
    if (escaped !== group) add("escape once more", at, splice(at, end, escaped), "\\n", "\\n");
    const escapedInside = JSON.stringify(inside).slice(1, -1);
    if (escapedInside !== inside)
      add("escape once more", at, splice(at + opener.length, end - closer.length, escapedInside), "\\n", "\\n");
    add("quote a part", at, splice(at, end, JSON.stringify(group)), '"', '"');
    add("quote a part", at, splice(at, end, `'${group}'`), "'", "'");
  }
  // Any other backslash that is lost leaves what JSON has as well.
  for (const { index } of text.matchAll(/\\(?=["'])/g)) add("lose a backslash", index, splice(index, index + 1, ""));
  for (const slip of wholeSlips(text, names, value?.[0])) add(slip.kind, 0, slip.text, ...slip.added);
  for (const at of free) for (const blank of BLANKS) add("other blanks", at, splice(at, at, blank), blank);
  for (let at = 1; at < text.length; at++) add("cut off", at, text.slice(0, at));
  return slips;
}
