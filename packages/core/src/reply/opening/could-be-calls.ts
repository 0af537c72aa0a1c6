import { HASH_COMMENTS, SLASH_COMMENTS } from "../../notation/comment.js";
import { growingPattern } from "../../notation/growing-pattern.js";
import { spaceEnd } from "../../notation/input.js";
import { closingQuotes, stringEnd, wordEnd } from "../../notation/json-words.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { bareSpelling } from "../../schema/spelling.js";
import { isModelRole } from "../../syntax/turn-tokens.js";
import { ARGUMENT_KEYS, ASIDE_KEYS, CALL_KEYS, LEAD_KEYS, LIST_KEYS, SAID_KEYS } from "../arguments/call-keys.js";
import type { ToolTable } from "../arguments/tool-table.js";
import type { FormNode } from "../forms/forms.js";
import { AWAIT, MAX_VARIABLE, VARIABLE } from "../forms/match-token.js";
import { ENCODED, isOfCode, mayBeFence, mayBePackaging, packagingOf } from "./packaging.js";

/**
 * Languages of a code fence in which `run("ls")` may be a call: none, Python, and those that say nothing else. In a fence of
 * any other language it is code for the user.
 */
const CALL_LANGUAGES = /^(?:py(?:thon)?3?|json|xml|te?xt|plain(?:text)?|.*(?:tool|func|call|action|code).*)?$/i;

/** The maximum number of characters that are examined, and so buffered, before a text is known to be possible calls. */
export const WINDOW = 256;

/** The same, if an explanation comes before the name of a call. */
const LONG_WINDOW = 4096;

/** Where the text is. */
export interface CodePlace {
  /** Whether it is in code that runs, where the result of a call may be assigned to a variable. */
  mayAssign: boolean;
  /** Whether the requested format is Python without a marker. */
  isPython: boolean;
  /** Whether the requested format has calls without a marker. */
  isOwn?: boolean;
}

/** The words that a name in a call may come after. */
const WORDS_BEFORE = ["print", "await"];

/** Values of the `type` key in a call's object. */
const CALL_TYPES = new Set(["function", "function_call", "tool_call", "tool_use", "tool"]);

/**
 * Whether a text with this beginning may consist only of calls without a marker: JSON objects whose first key is a
 * call's and whose name, if it comes first, is a tool's; or a tool's name and the bracket before its arguments; each
 * alone or in a list.
 */
export function couldBeCalls(look: Lookahead, at: number, tools: ToolTable, code: CodePlace, size = WINDOW): boolean {
  const window = look.text.slice(at, at + size);
  const unknown = () => {
    if (window.length < size) look.atEnd();
    return false;
  };
  const unknownAfterAside = () =>
    window.length < WINDOW || size > WINDOW ? unknown() : couldBeCalls(look, at, tools, code, LONG_WINDOW);
  if (mayBeFence(window)) return unknown();
  const { length, language } = packagingOf(window);
  const unpacked = window.slice(length);
  // Neither a comment nor a call begins like a tag.
  if (unpacked.startsWith("<")) return mayBePackaging(unpacked) ? unknown() : false;
  const mayAssign = code.mayAssign || isOfCode(language, code.isPython);
  const assigned = mayAssign ? (VARIABLE.exec(unpacked)?.[0] ?? "") : "";
  const begin = unpacked
    .slice(assigned.length)
    .trimStart()
    .replace(AWAIT, "")
    .replace(HASH_COMMENTS, "")
    .replace(/^(?:\[\s*["'`]?|["'](?=[\p{L}_][\p{L}\p{N}_.\\-]*\()|print\(\s*)/u, "")
    .replace(SLASH_COMMENTS, "")
    .replace(HASH_COMMENTS, "");
  const context = { tools, unknown, unknownAfterAside, isOwn: code.isOwn === true };
  if (ENCODED.test(begin)) return objectCouldBeCall(decoded(begin), context);
  if (begin === "" || begin.startsWith("#") || mayBePackaging(begin)) return unknown();
  const [pair, , item = ""] = PAIR.exec(begin) ?? [];
  if (pair !== undefined) return tools.knows(item);
  if (PART_OF_PAIR.test(begin)) return unknown();
  const lineName = NAME_LINE.whole
    .exec(begin)
    ?.slice(1)
    .find((written) => written !== undefined);
  if (lineName !== undefined) return tools.knows(lineName);
  const isPart = /["'`*\n]/.test(begin) && NAME_LINE.part.test(begin);
  if (isPart) return unknown();
  const name = /^([\p{L}_][\p{L}\p{N}_.\\-]*)["']?\s*([({]?)/u.exec(begin);
  if (name?.[2]) return tools.knows(name[1]!) && (name[2] === "{" || CALL_LANGUAGES.test(language));
  if (name) {
    const mayBeVariable = mayAssign && name[1]!.length <= MAX_VARIABLE;
    const mayBeCall =
      mayBeVariable || tools.mayBegin(name[1]!) || WORDS_BEFORE.some((word) => word.startsWith(name[1]!));
    return name[0].length === begin.length && mayBeCall && unknown();
  }
  return TEXT_ITEM.test(unpacked) || objectCouldBeCall(begin, context);
}

/**
 * Whether a call of these forms may begin at an index: with their word or tag (`call:`, `<name>`), or with a
 * tool's name and the marker after it (`add[ARGS]`).
 */
export function formBegins(look: Lookahead, at: number, { branches }: FormNode, tools: ToolTable): boolean {
  const isHere = ({ token }: FormNode["branches"][number]) => {
    switch (token.kind) {
      // Emphasis or the mark of a list before it would be a part of the call.
      case "label":
      case "literal":
        return isWord(token.text) && look.has(token.text, at);
      case "name": {
        const end = wordEnd(look.text, at);
        const isTag = token.ends.every((marker) => marker.startsWith("<"));
        const next = isTag ? spaceEnd(look.text, end) : end;
        return (
          tools.knows(look.text.slice(at, end)) && token.ends.some((marker) => isWord(marker) && look.has(marker, next))
        );
      }
      default:
        return false;
    }
  };
  return look.find(branches, isHere) !== undefined;
}

/** The beginning of an object that is encoded as a string; the rest of an escape at its end is a quote in most cases. */
const decoded = (begin: string): string =>
  begin.replace(/^"\s*/, "").replace(/\\(.?)/gs, (_, char: string) => ESCAPES[char] ?? char);

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", "": '"' };

/** Whether a marker is more than a bracket. */
const isWord = (marker: string) => /\p{L}/u.test(marker);

/** The first text in the content of a message, which is a list of calls and texts. */
const TEXT_ITEM = /^\[\s*\{\s*["']?type["']?\s*:\s*["']text["']/;

interface ObjectContext {
  tools: ToolTable;
  unknown: () => boolean;
  /** The same after a key that explains a call. */
  unknownAfterAside: () => boolean;
  isOwn: boolean;
}

/** Whether an object with this beginning may be a call; `isAfterAside`: an id or another key that calls have was before it. */
function objectCouldBeCall(begin: string, context: ObjectContext, isAfterAside = false): boolean {
  const { tools, unknown, unknownAfterAside, isOwn } = context;
  const [before, key = ""] = /^\{\s*["'“]?([\w.]+)["'”]?\s*:\s*/.exec(begin) ?? [];
  if (before === undefined) return /^\{\s*(?:["'“]?[\w.]*["'”]?\s*)?$/.test(begin) ? unknown() : false;
  const isOfCall = CALL_KEYS.has(key);
  const spelling = isOfCall ? key : bareSpelling(key);
  const value = begin.slice(before.length);
  if (tools.has(key) && (value === "" || value.startsWith("{"))) return value === "" ? unknown() : true;
  const isKind = spelling === "type" || key === "role";
  const isAside = !isOfCall && !isKind && LEAD_KEYS.has(key);
  const isSaid = isOwn && SAID_KEYS.has(key) && closingQuotes(value.charAt(0)) !== undefined;
  if (!isOfCall && !isKind && !isAside && !isSaid) return listFollows(value, unknown);
  // With an id, an input without a name before it may be a record of another kind.
  if (isAfterAside && ARGUMENT_KEYS.has(key)) return false;
  if (value === "") return unknown();
  const quote = closingQuotes(value.charAt(0));
  if (quote === undefined && !isAside) return !isKind;
  const end = quote === undefined ? wordEnd(value, 0) : stringEnd(value, 0, quote);
  const after = isAside ? { ...context, unknown: unknownAfterAside } : context;
  if (end < 0) return after.unknown();
  if (isSaid) return listFollows(`""${value.slice(end)}`, unknown);
  if (isAside) {
    const rest = value.slice(end).trimStart();
    if (rest === "") return after.unknown();
    return rest.startsWith(",") && objectCouldBeCall(`{${rest.slice(1)}`, after, true);
  }
  const word = value.slice(1, end - 1);
  if (key === "role") return isModelRole(word);
  if (isKind) return CALL_TYPES.has(word);
  // A record may have an id and the name of a tool.
  return tools.knows(word) && (!isAfterAside || callKeyFollows(value.slice(end), unknown));
}

/** An empty value, and the next key; and the beginning of these. */
const EMPTY = /^(?:null|""|'')\s*,\s*["'“]?([\w.-]+)["'”]?\s*:\s*/;
const PART_OF_EMPTY = /^(?:n|nu|nul|["']|(?:null|""|'')\s*(?:,\s*(?:["'“]?[\w.-]*["'”]?\s*)?)?)?$/;

/** Whether a list of calls comes after values that are empty, such as the content of a message. */
function listFollows(value: string, unknown: () => boolean): boolean {
  const [pair, key = ""] = EMPTY.exec(value) ?? [];
  if (pair === undefined) return PART_OF_EMPTY.test(value) && unknown();
  const rest = value.slice(pair.length);
  if (!LIST_KEYS.has(key)) return listFollows(rest, unknown);
  return rest === "" ? unknown() : rest.startsWith("[");
}

/** Whether the key of a call's arguments, or another one that stands beside its name, follows the name. */
function callKeyFollows(rest: string, unknown: () => boolean): boolean {
  const [, key, colon] = /^\s*,\s*["'“]?([\w-]*)["'”]?\s*(:?)/.exec(rest) ?? [];
  if (key === undefined) return /^\s*,?\s*$/.test(rest) && unknown();
  if (colon === "") return unknown();
  return ARGUMENT_KEYS.has(key) || ASIDE_KEYS.has(key);
}

/** A name on a line, perhaps in quotes or bold, and the JSON after it, perhaps in a fence. */
const NAME_LINE = growingPattern(
  [[], ['"'], ["'"], ["`"], ["\\*", "\\*"]].flatMap((mark) => {
    const line = [...mark, "([\\p{L}_][\\p{L}\\p{N}_.\\\\-]*)", ...mark, "[^\\S\\n]*", "\\n", "\\s*"];
    return [
      [...line, "\\{"],
      [...line, "```", "\\w*", "\\s*", "\\{"],
    ];
  }),
);

/**
 * A list or tuple that begins with a name, with or without the bracket of an outer list, and the beginning of its next
 * item.
 */
const PAIR = /^[[(]\s*(["'])([\p{L}_][\p{L}\p{N}_.-]*)\1\s*,\s*["'{]/u;
const PART_OF_PAIR = /^[[(]\s*(?:["'](?:[\p{L}_][\p{L}\p{N}_.-]*(?:["']\s*(?:,\s*)?)?)?)?$/u;
