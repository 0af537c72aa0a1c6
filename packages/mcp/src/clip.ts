/** How many characters of a failure a model is shown. */
export const FAILURE = 10_000;

/** The beginning of a text that is too long, with a note. Half of a surrogate pair is none of it. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return `${beginning}\n[The first ${beginning.length} of ${text.length} characters.]`;
}
