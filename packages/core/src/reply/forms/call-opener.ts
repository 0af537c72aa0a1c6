import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { readTag } from "../../notation/markup/markup.js";
import { allOpeners, localName, markerOf } from "../../syntax/spelling.js";
import type { Syntax } from "../../syntax/syntax.js";
import type { Token } from "../../syntax/tokens.js";
import { cleanName } from "./clean-name.js";

/** The maximum length of a name and number. */
const MAX_SLOT = 128;

/** Whether a name is a tool's; undefined: unknown. */
type IsTool = (name: string) => boolean | undefined;

/** The tokens that open a call, from the marker before the name; `way`: all tokens before the arguments. */
export function openingTokens(way: readonly Token[]): readonly Token[] {
  const named = way.findLastIndex(({ kind }) => kind === "name" || kind === "tag");
  const first = way.findLastIndex((token, i) => i <= named && (token.kind === "tag" || isMarkup(token)));
  return first < 0 ? [] : way.slice(first);
}

const isMarkup = (token: Token) => token.kind === "literal" && token.text.startsWith("<");

/**
 * A test for tag names that open a call, or a block of calls, in any of some syntaxes.
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

/** Where the opener of a known tool's call at an index ends; false: there is none. */
export function openerEnd(opener: readonly Token[], look: Lookahead, at: number, isTool: IsTool): number | false {
  let end = at;
  for (const [i, token] of opener.entries()) {
    const from = i === 0 ? at : spaceEnd(look.text, end);
    if (from - end > LOOKAHEAD) return false;
    const next = tokenEnd(token, look, from, isTool);
    if (next === false) return false;
    end = next;
  }
  return opener.length > 0 && end;
}

function tokenEnd(token: Token, look: Lookahead, at: number, isTool: IsTool): number | false {
  switch (token.kind) {
    case "literal":
      return look.markerEnd(token.text, at);
    case "tag": {
      const { name, attribute } = token;
      if (attribute !== undefined && !look.has(`<${name}`, at)) return false;
      const tag = readTag(look, at);
      const tool = attribute === undefined ? tag?.name : tag?.name === name && tag.attributes.get(attribute);
      return tag !== undefined && Boolean(tool) && isTool(String(tool).trim()) !== false && tag.end;
    }
    case "name":
    case "index": {
      const end = slotEnd(look, at, token.ends);
      if (!end || token.kind === "index") return end;
      return isTool(cleanName(look.text.slice(at, end).trim())) !== false && end;
    }
    default:
      return false;
  }
}

/** Where the text before the first of some markers ends; it is on one line and has no tags. */
function slotEnd(look: Lookahead, at: number, ends: readonly string[]): number | false {
  const window = look.text.slice(at, at + MAX_SLOT);
  const found = ends.map((marker) => window.indexOf(marker)).filter((index) => index >= 0);
  const end = found.length > 0 ? Math.min(...found) : -1;
  if (end >= 0) return !/[<\n]/.test(window.slice(0, end).trim()) && end > 0 && at + end;
  if (window.length === MAX_SLOT) return false;
  const stop = window.search(/[<\n]/);
  const next = stop < 0 ? look.text.length : spaceEnd(look.text, at + stop);
  if (!look.endsAt(next)) for (const marker of ends) look.has(marker, next);
  return false;
}
