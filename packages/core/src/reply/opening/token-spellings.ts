import type { Form, Span } from "../../syntax/syntax.js";

// Tokenizers write a space in a token as `▁`, and some tokens have full-width bars. Servers and distilled models spell such
// tokens in other ways, all tokens of a reply in the same way.

/** A bar and a separator of words. */
const SPELLINGS = ["｜", "|"].flatMap((bar) => ["▁", "_", " "].map((separator) => [bar, separator] as const));

const isSpelled = (text: string) => text.includes("▁");

/** A marker in all its spellings, its own first. */
export const spellingsOf = (marker: string): string[] => [
  ...new Set([marker, ...(isSpelled(marker) ? SPELLINGS.map((spelling) => spell(marker, spelling)) : [])]),
];

/** A span with its markers in all their spellings. */
export const spansOf = (span: Span): Span[] => {
  const closers = span.close === undefined ? [] : spellingsOf(span.close);
  return spellingsOf(span.open).map((open, i) => ({ ...span, open, ...(closers[i] && { close: closers[i] }) }));
};

/** A form with its markers in all their spellings. */
export function formSpellings<T extends Form>(form: T): T[] {
  const { call, block } = form;
  const texts = [...call.filter((part) => typeof part === "string"), block?.open ?? "", block?.close ?? ""];
  if (!texts.some(isSpelled)) return [form];
  const others = SPELLINGS.filter((spelling) => texts.some((text) => spell(text, spelling) !== text));
  return [
    form,
    ...others.map((spelling) => ({
      ...form,
      call: call.map((part) => (typeof part === "string" ? spell(part, spelling) : part)),
      ...(block && { block: { ...block, open: spell(block.open, spelling), close: spell(block.close, spelling) } }),
    })),
  ];
}

const spell = (text: string, [bar, separator]: readonly [string, string]): string =>
  text.replace(/[|｜]/g, bar).replaceAll("▁", separator);
