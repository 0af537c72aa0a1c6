import type { Slip } from "./slips.js";

type WholeSlip = Omit<Slip, "at">;

/** White space that models write in place of a space or newline. */
export const BLANKS = ["\u00a0", "\t", "\r\n", "\n\n"];

/** What models put before and after calls. */
const PACKAGES: readonly (readonly [string, string])[] = [
  ["`", "`"],
  ["``", "``"],
  ["**", "**"],
  ["'", "'"],
  ['"', '"'],
  ["- ", ""],
  ["1. ", ""],
  ["> ", ""],
  ["(", ")"],
  ["[", "]"],
  ["", "]"],
  ["", "}"],
  ["", ")"],
  ["", "</tool_call>"],
  ["", "\n</function>"],
  ["", "\n```"],
  ["<!-- calls -->\n", "\n<!-- end -->"],
  ["<calls>\n", "\n</calls>"],
  ["<|start_header_id|>", ""],
  ["<|im_start|>", ""],
  ["```\n", "\n```"],
  ["```json\n", "\n```\nThat is all."],
  ["I will do that now.\n", ""],
  ["I will do that now.", ""],
  ["Use `", "` to do that."],
  ["", "\n\nThat is all."],
  ["[]\n", ""],
];

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&apos;": "'" };

/** The slips that concern all of a reply, or the way something is spelt in it. `value`: an argument that is words. */
export function wholeSlips(text: string, names: readonly string[], value: string | undefined): WholeSlip[] {
  const slips: WholeSlip[] = PACKAGES.map(([before, after]) => ({
    kind: "package the reply",
    text: before + text + after,
    added: [before, after],
  }));
  slips.push({ kind: "escape for Markdown", text: text.replace(/[_*[\]]/g, "\\$&"), added: ["\\", "\\", "\\", "\\"] });
  slips.push({ kind: "space in a tag", text: text.replace(/(<\/?[\w:.-]+)([^<>|]*>)/g, "$1 $2"), added: [] });
  const replaced = (kind: Slip["kind"], pattern: RegExp, ...spellings: ((match: RegExpExecArray) => string)[]) => {
    for (const match of text.matchAll(pattern)) {
      for (const spell of spellings) {
        const end = match.index + match[0].length;
        slips.push({ kind, text: text.slice(0, match.index) + spell(match) + text.slice(end), added: [] });
      }
    }
  };
  const keys = names.join("|");
  const spelt = ([, , key, content]: RegExpExecArray) => [key, content] as const;
  const element = new RegExp(`<(parameter[= ][^<>]*?|)(?:name=")?(${keys})"?>([^<>]*)</(?:parameter|\\2)>`, "gu");
  replaced(
    "mix element spellings",
    element,
    (match) => `<${spelt(match)[0]}>${spelt(match)[1]}</${spelt(match)[0]}>`,
    (match) => `<parameter=${spelt(match)[0]}>${spelt(match)[1]}</parameter>`,
    (match) => `<parameter name="${spelt(match)[0]}">${spelt(match)[1]}</parameter>`,
  );
  if (value !== undefined) {
    const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    replaced("leave text alone", new RegExp(`<[^<>/]*>\\s*${escaped}\\s*</[^<>]*>`, "gu"), () => value);
  }
  replaced("remove quotes", /(["'])([\w ]+)\1/gu, ([, , inside]) => inside!);
  replaced(
    "other brackets",
    /\[([^[\]{}]+)\]/gu,
    ([, inside]) => `(${inside})`,
    ([, inside]) => `{${inside}}`,
    ([, inside]) => inside!,
  );
  replaced(
    "double a name",
    /book_table|set_lamp/gu,
    ([name]) => `${name}${name}`,
    ([name]) => `${name} ${name}`,
    ([name]) => `${name}.${name}`,
    ([name]) => `${name}\n${name}`,
  );
  replaced(
    "respell a key",
    /"(name|arguments|parameters)"(?=\s*:)/gu,
    ([, key]) => `"${key!.toUpperCase()}"`,
    ([, key]) => `"function_${key}"`,
  );
  replaced(
    "fill in a description",
    new RegExp(`("(?:${keys})":\\s*)("[\\w ]+")`, "gu"),
    ([, key, text]) => `${key}{"type": "string", "value": ${text}}`,
  );
  replaced("decode an entity", /&(?:lt|gt|amp|quot|apos);/gu, ([entity]) => ENTITIES[entity]!);
  return slips;
}
