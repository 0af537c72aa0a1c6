import { oncePer } from "../common/once-per.js";
import { type Body, type ElementsBody, factsOf } from "./bodies.js";
import { isTagMark, markersIn } from "./markers.js";
import { type Form, isSlot, isToolElement, type Part } from "./syntax.js";

/** Whether a marker is a label: words and a colon, see `Syntax`. */
export const isLabel = (marker: string): boolean => marker.endsWith(":") && /^\p{L}[\p{L} ]*:$/u.test(marker);

/** Whether a marker is punctuation that is common in text, such as `@` or `>>>`. */
export const isPunctuation = (marker: string): boolean => /^[^\p{L}<[{]+$/u.test(marker);

/** One step of reading a call. */
export type Token =
  /** `line`: it matches at the beginning of a line only; `tag`: it is the mark of this tag, which follows. */
  | { kind: "literal"; text: string; line?: true; tag?: string }
  /** Words and a colon at the beginning of a line. */
  | { kind: "label"; text: string }
  /** An opening tag with the tool's name in an attribute; without `attribute` the tag's own name is the tool's. */
  | { kind: "tag"; name: string; attribute?: string }
  /** The tool's name, up to the first of these ends. `known`: no other name is read here. */
  | { kind: "name"; ends: string[]; known?: true; line?: LineName }
  /** The call's number, or other text, up to the first of these ends. */
  | { kind: "index"; ends: string[] }
  | { kind: "body"; body: Body };

/** Fixed text of a call. */
export type Literal = Extract<Token, { kind: "literal" | "label" }>;

/** A name in a call that begins a line. `own`: of the prompted protocol; `labelled`: after a label. */
export interface LineName {
  own: boolean;
  labelled: boolean;
}

/**
 * A form, whether it belongs to the prompted protocol, and whether it is the one that the prompt asks for. `lead`: the end of
 * the header before it, in a message.
 */
export type OwnedForm = Form & { own?: boolean; asked?: boolean; lead?: string };

/** The markers of a literal as tokens. */
export const literals = (text: string): Literal[] =>
  markersIn(text).map((piece) => ({ kind: isLabel(piece) ? "label" : "literal", text: piece }));

/**
 * The tokens of one call of this form, without its block. `tool`: the tag's name, where calls are elements named after
 * tools.
 */
export function callTokens(form: OwnedForm, tool = ""): readonly Token[] {
  if (isToolElement(form)) return toolElement(form, tool);
  const tokens = tokensOf(form.call);
  return form.at === "line" ? asLine(tokens, form) : tokens;
}

/** An opening tag up to an attribute's value: its name, and the attribute's. */
export const ATTRIBUTE_OPEN = /<([^\s<>="']+)\s+([\w:.-]+)="$/;

/** `<`, the name, `>`, the arguments, `</`, the name, `>`: the tag may as well close itself. */
function toolElement({ call }: Form, name: string): Token[] {
  const rest = call.slice(3).map((part) => (isSlot(part) ? name : part));
  const body = rest.findLastIndex((part) => typeof part !== "string");
  return [{ kind: "tag", name }, ...tokensOf(rest.slice(0, body + 1)), ...literals(rest.slice(body + 1).join(""))];
}

/** The tokens of these parts. Cached: forms are compiled for several protocols, and shared by their variants. */
const tokensOf = /* @__PURE__ */ oncePer((call: readonly Part[]): readonly Token[] => {
  const tokens: Token[] = [];
  const parts = [...call];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    if (typeof part !== "string") {
      if (isSlot(part)) {
        const ends = nameEnds(parts.slice(i + 1));
        const known = part.slot === "name" && part.known && { known: part.known };
        tokens.push(part.slot === "index" ? { kind: "index", ends } : { kind: "name", ends, ...known });
      } else tokens.push({ kind: "body", body: part });
      continue;
    }
    const tag = ATTRIBUTE_OPEN.exec(part);
    const after = parts[i + 2];
    if (!tag || typeof after !== "string" || !after.startsWith('">')) {
      tokens.push(...literals(part));
      continue;
    }
    const before = literals(part.slice(0, tag.index));
    tokens.push(...before.map((one) => (isTagMark(one.text) ? { ...one, tag: `<${tag[1]}` } : one)));
    tokens.push({ kind: "tag", name: tag[1]!, attribute: tag[2]! });
    parts[i + 2] = after.slice(2);
    i++;
  }
  return tokens;
});

/** The tokens of a call that begins a line: its name ends with the line, or at the space before its arguments. */
function asLine(tokens: readonly Token[], { call, own = false }: OwnedForm): Token[] {
  const at = call.findIndex((part) => isSlot(part) && part.slot === "name");
  const after = call[at + 1];
  const space = typeof after === "string" && after.startsWith(" ") ? [" "] : [];
  const labelled = tokens[0]?.kind === "label";
  return tokens.map((token, i) => {
    if (i === 0 && token.kind === "literal") return { ...token, line: true };
    return token.kind === "name" ? { ...token, ends: ["\n", ...space, ...token.ends], line: { own, labelled } } : token;
  });
}

/** The ends of a name: the marker after it, the beginning of its arguments, or the next part if there are none. */
function nameEnds(rest: readonly Part[]): string[] {
  for (const [i, part] of rest.entries()) {
    if (typeof part === "string") {
      const [first] = literals(part);
      if (first) return [first.text];
    } else if (!isSlot(part)) {
      const keyCloser = part.body === "elements" ? closerOfKey(part) : undefined;
      return [factsOf(part).beginning(part), ...(keyCloser ?? []), ...nameEnds(rest.slice(i + 1))];
    }
  }
  return [];
}

/** The closing tag after an argument's key, `</arg_key>`; the tag before the key may be missing. */
function closerOfKey({ open }: ElementsBody): [string] | undefined {
  const after = open[2];
  const [first] = typeof after === "string" ? markersIn(after) : [];
  return first?.startsWith("</") ? [first] : undefined;
}

/** The closing tags that follow a part of a call, or tokens with a word: the call's own, then those of its block. */
export function closingTagsAfter({ call, block }: Form, i: number, tool: string): string[] {
  const rest = call.slice(i + 1).map((part) => (typeof part === "string" ? part : isSlot(part) ? tool : ""));
  return [...rest, block?.close ?? ""].join("").match(/(?:\]<\][^<]*)?<\/[^<>]*>|<[^<>/]*>[^<\s]+/g) ?? [];
}
