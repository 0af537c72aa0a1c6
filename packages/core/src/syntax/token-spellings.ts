// Tokenizers write a space in a token as `▁`, and some tokens have full-width bars. Servers and distilled models spell such
// tokens in other ways, all tokens of a reply in the same way.

/** The spellings of a bar in a token. */
export const BARS: readonly string[] = ["｜", "|"];

/** How tokenizers write a space in a token. */
export const TOKEN_SPACE = "▁";

/** The spellings of a space in a token. */
export const TOKEN_SPACES: readonly string[] = [TOKEN_SPACE, "_", " "];

const ANY_BAR = new RegExp(`[${BARS.join("")}]`, "g");

/**
 * The other spellings of texts that belong together, such as an opener and its closer: each spells one of the texts. None
 * if no text has a token of several words.
 *
 * @example otherSpellings(["<｜call▁begin｜>"]).map((spell) => spell("<｜call▁end｜>")); // ["<｜call_end｜>", …]
 */
export function otherSpellings(texts: readonly string[]): ((text: string) => string)[] {
  if (!texts.some((text) => text.includes(TOKEN_SPACE))) return [];
  const known = new Set([texts.join("\0")]);
  return BARS.flatMap((bar) =>
    TOKEN_SPACES.map((space) => (text: string) => text.replace(ANY_BAR, bar).replaceAll(TOKEN_SPACE, space)),
  ).filter((spell) => {
    const spelled = texts.map(spell).join("\0");
    return !known.has(spelled) && known.add(spelled);
  });
}

/** Markers in all spellings of their tokens, those that are given first. */
export const inAllSpellings = (markers: readonly string[]): string[] => [
  ...new Set([...markers, ...markers.flatMap((marker) => otherSpellings([marker]).map((spell) => spell(marker)))]),
];
