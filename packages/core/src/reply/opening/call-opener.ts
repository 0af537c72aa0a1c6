import { allOpeners, localName, markerOf } from "../../syntax/spelling.js";
import type { Syntax } from "../../syntax/syntax.js";
import type { Token } from "../../syntax/tokens.js";
import { readTag } from "../bodies/markup.js";
import { type Input, LOOKAHEAD, spaceEnd, standsAt } from "../input.js";
import { unquoted } from "./token-fit.js";

/** The longest name and number that are looked for. */
const MAX_NAME = 128;

/** Says which names are those of tools; undefined: it is not known. */
type IsTool = (name: string) => boolean | undefined;

/** The tokens that open a call, from the marker before the name on; `way`: all tokens before the arguments. */
export function openerOf(way: readonly Token[]): readonly Token[] {
  const named = way.findLastIndex(({ kind }) => kind === "name" || kind === "tag");
  const first = way.findLastIndex((token, i) => i <= named && (token.kind === "tag" || isMarkup(token)));
  return first < 0 ? [] : way.slice(first);
}

const isMarkup = (token: Token) => token.kind === "literal" && token.text.startsWith("<");

/**
 * Says whether a tag of a name opens calls in any of some syntaxes, or a block of them.
 *
 * @example callTags([hermes.syntax])("tool_call"); // true
 */
export function callTags(syntaxes: readonly Syntax[]): (name: string) => boolean {
  let names: ReadonlySet<string> | undefined;
  return (name) => {
    names ??= new Set(
      syntaxes
        .flatMap(allOpeners)
        .map((spelling) =>
          spelling.kind === "tag" ? spelling.name : (/^<([^\s<>="|]+)/.exec(markerOf(spelling) ?? "")?.[1] ?? ""),
        )
        .map(localName),
    );
    return names.has(localName(name));
  };
}

/** Where the opener of a call of a known tool ends that is at an index; false: none is; undefined: more input is needed. */
export function openerEnd(
  opener: readonly Token[],
  { text, final }: Pick<Input, "text" | "final">,
  at: number,
  isTool: IsTool,
): number | undefined | false {
  const unknown = final ? false : undefined;
  let end = at;
  for (const [i, token] of opener.entries()) {
    const from = i === 0 ? at : spaceEnd(text, end);
    if (from - end > LOOKAHEAD) return false;
    const next = tokenEnd(token, text, from, isTool);
    if (!next) return next === undefined ? unknown : false;
    end = next;
  }
  return opener.length > 0 && end;
}

function tokenEnd(token: Token, text: string, at: number, isTool: IsTool): number | undefined | false {
  switch (token.kind) {
    case "literal": {
      const stands = standsAt(text, at, token.text);
      return stands && at + token.text.length;
    }
    case "tag": {
      const { name, attribute } = token;
      if (attribute !== undefined && standsAt(text, at, `<${name}`) === false) return false;
      const tag = readTag(text, at);
      if (tag === "more") return undefined;
      const tool = attribute === undefined ? tag?.name : tag?.name === name && tag.attributes.get(attribute);
      return tag !== undefined && Boolean(tool) && isTool(String(tool).trim()) !== false && tag.end;
    }
    case "name":
    case "index": {
      const end = slotEnd(text, at, token.ends);
      if (!end || token.kind === "index") return end;
      return isTool(unquoted(text.slice(at, end).trim())) !== false && end;
    }
    default:
      return false;
  }
}

/** Where the text before the first of some markers ends; it has no tags and is on one line. */
function slotEnd(text: string, at: number, ends: readonly string[]): number | undefined | false {
  const window = text.slice(at, at + MAX_NAME);
  const found = ends.map((end) => window.indexOf(end)).filter((index) => index >= 0);
  const end = found.length > 0 ? Math.min(...found) : -1;
  if (end >= 0) return !/[<\n]/.test(window.slice(0, end).trim()) && end > 0 && at + end;
  const stop = window.search(/[<\n]/);
  if (window.length === MAX_NAME) return false;
  const next = stop < 0 ? text.length : spaceEnd(text, at + stop);
  return next === text.length || ends.some((marker) => standsAt(text, next, marker) === undefined) ? undefined : false;
}
