import { oncePer } from "../common/once-per.js";
import { SHORT_NAME } from "../schema/names.js";
import { bareSpelling } from "../schema/spelling.js";
import { type ActionBody, type Form, formsOf, isBare, isBodyOf, isToolElement, type Syntax } from "./syntax.js";
import { callTokens, isLabel, literals, type Token } from "./tokens.js";

/**
 * One way to recognise a beginning: of a call, a span of reasoning or a header. The reply parser finds exactly these,
 * and the escaper breaks exactly these (`spellingPattern`). A new kind of spelling is a new member here, and neither
 * compiles until it supports it.
 */
export type Spelling =
  /** Exactly this text, anywhere. `name`: the text is common in prose, so a tool's name must follow. */
  | { kind: "literal"; text: string; name: boolean }
  /** This text at the beginning of a line, before a tool's name. */
  | { kind: "line"; text: string }
  /** Words and a colon at the beginning of a line, in any case, with emphasis around them or a number after them. */
  | { kind: "label"; text: string }
  /** A tag of this name, in any case, with any namespace prefix or none. `attributes`: some of them belong to the call. */
  | { kind: "tag"; name: string; attributes: boolean }
  /** A tag named after a tool, in any spelling of its name. `alone`: the name alone on a line opens a call too. */
  | { kind: "tool-tag"; alone: boolean }
  /** An object whose first key is one of these; nothing else distinguishes it from data. */
  | { kind: "object"; keys: readonly string[] };

/** The name in a tag's marker, `<tool_call>`; undefined for any other marker. */
export const tagNameOf = (marker: string): string | undefined => /^<([\p{L}_][\p{L}\p{N}_.:-]*)>$/u.exec(marker)?.[1];

/** A tag's name for comparisons: without the namespace prefix, in lower case. */
export const localName = (name: string): string => name.slice(name.indexOf(":") + 1).toLowerCase();

/**
 * The name of the element that a marker closes, in ASCII or with the bars of special tokens, after which a space may be;
 * undefined for any other marker.
 */
export const closedBy = (marker: string): string | undefined =>
  /^<\/((?:[^\s<>/]*[|｜] )?[^\s<>/]+)>$/.exec(marker)?.[1];

/**
 * Whether a marker does not occur in ordinary text: a token, or a tag that only models write. Words and plain tags,
 * such as `<response>`, are markers only in the requested format.
 */
export const isToken = (marker: string): boolean =>
  /[|｜]|^\[\/?[A-Z_]+\]|^\]<\]|^<\/?(?:think|[^\s<>]*[_:])/.test(marker);

/** Any namespace before a tag's name, as a regular expression. */
export const NAMESPACE_PREFIX = `(?:${SHORT_NAME}:)?`;

/**
 * The characters allowed between a label's words and its colon besides space and digits, for a regular expression
 * class.
 */
export const LABEL_MARKS = "*_";

/** The colons of a label, for a regular expression class: also the wide one of Chinese and Japanese text. */
export const LABEL_COLONS = ":：";

/** What models write around a tool's name: a namespace before it, the number of the call after it. */
const NAME_AFFIXES = /^(?:functions?|tools?|default_api)[.:/]|:\d+$/gi;

/**
 * The bare spellings of the names that a written one may mean, in order: as it is, doubled, and with a namespace or a number
 * around it.
 *
 * @example meantSpellings("functions.add:0"); // ["functionsadd0", "add"]
 */
export function meantSpellings(written: string): string[] {
  const spelling = bareSpelling(written);
  const half = spelling.slice(0, spelling.length / 2);
  const name = written.replace(NAME_AFFIXES, "");
  return [
    spelling,
    ...(half !== "" && spelling === half + half ? [half] : []),
    ...(name === written ? [] : [bareSpelling(name)]),
  ];
}

/**
 * Whether a text may be the beginning of a written name that means a bare spelling, see {@link meantSpellings}.
 *
 * @example mayBecome("functions.get_", "getweather"); // true
 */
export function mayBecome(written: string, spelling: string): boolean {
  const bare = bareSpelling(written);
  const rest = bareSpelling(written.replace(NAME_AFFIXES, ""));
  const begins = [spelling + spelling, "functions", "tools", "defaultapi"].some((name) => name.startsWith(bare));
  return begins || spelling.startsWith(rest);
}

/** The beginning of a marker that prose does not have. */
const UNLIKE_PROSE = /^(?:[<[]|[^\p{L}\p{ASCII}])/u;

/**
 * The spelling of a call's first token in text; undefined if it has no marker. `next`: the token after it, by which words
 * differ from prose: a marker is part of the spelling, a tool's name must follow.
 */
export function spellingOf(token: Token, next?: Token): Spelling | undefined {
  switch (token.kind) {
    case "label":
      return { kind: "label", text: token.text };
    case "literal": {
      if (token.line && next?.kind === "literal") return { kind: "literal", text: token.text + next.text, name: false };
      if (token.line) return { kind: "line", text: token.text };
      if (token.tag) return { kind: "literal", text: token.text + token.tag, name: false };
      const name = tagNameOf(token.text);
      if (name !== undefined) return { kind: "tag", name, attributes: false };
      return { kind: "literal", text: token.text, name: next?.kind === "name" && !UNLIKE_PROSE.test(token.text) };
    }
    case "tag":
      return { kind: "tag", name: token.name, attributes: true };
    case "body":
      if (token.body.body === "attributes") return { kind: "tag", name: token.body.tag, attributes: true };
      return token.body.body === "action" ? { kind: "object", keys: keysOf(token.body) } : undefined;
    default:
      return undefined;
  }
}

/** The keys that an object which is a message may begin with. */
const keysOf = ({ thought, action, final, name }: ActionBody) => [thought, action, final, name];

/** The declared marker, which prompts show, prefills begin with and grammars use as a trigger. */
export function markerOf(spelling: Spelling): string | undefined {
  switch (spelling.kind) {
    case "tag":
      return `<${spelling.name}${spelling.attributes ? "" : ">"}`;
    case "tool-tag":
      return undefined;
    case "object":
      return "{";
    default:
      return spelling.text;
  }
}

/**
 * Every spelling that begins a call of this form: that of its block, and that of the call, because a call with a marker
 * is read without its block too. Empty for a form without markers (bare JSON). Cached.
 *
 * @example openersOf(minimaxM2.syntax); // a tag `minimax:tool_call`, a tag `invoke` with attributes
 */
export const openersOf = /* @__PURE__ */ oncePer((form: Form): readonly Spelling[] => {
  // Calls that are the whole reply have no marker: their first character is that of any list or object.
  if (isBare(form)) return [];
  if (isToolElement(form)) return [{ kind: "tool-tag", alone: isBodyOf(form.call[3], "elements") }];
  const call = callTokens(form);
  const open = form.block ? literals(form.block.open) : [];
  const found = [spellingOf(open[0] ?? call[0]!, open.length > 0 ? (open[1] ?? call[0]) : call[1])];
  if (open.length > 0) found.push(spellingOf(call[0]!, call[1]));
  return found.filter((spelling) => spelling !== undefined);
});

/** The openers of a syntax, in all its forms. */
export const allOpeners = (syntax: Syntax): Spelling[] => [
  ...formsOf(syntax).flatMap(openersOf),
  ...(syntax.messages?.open ?? []).map((text): Spelling => ({ kind: "literal", text, name: false })),
];

/** The markers that close a call of this form, and those that close its block, in their order. */
export function closersOf(form: Form): { call: string[]; block: string[] } {
  const tokens = callTokens(form, "");
  const last = tokens.findLastIndex(({ kind }) => kind !== "literal" && kind !== "label");
  const call = tokens.slice(last + 1).flatMap((token) => ("text" in token ? token.text : []));
  const body = form.call.at(-1);
  if (isBodyOf(body, "attributes")) call.push(`</${body.tag}>`);
  return { call, block: form.block ? literals(form.block.close).map(({ text }) => text) : [] };
}

/**
 * The spelling of a marker that is declared as text: of a span, a stop sequence, a chat template, or around a result.
 */
export function spellingOfMarker(marker: string): Spelling {
  const text = marker.trim();
  const name = tagNameOf(text.replace("</", "<"));
  if (name !== undefined) return { kind: "tag", name, attributes: false };
  return isLabel(text) ? { kind: "label", text } : { kind: "literal", text, name: false };
}
