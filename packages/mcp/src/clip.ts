/** How many characters of a failure a model is shown. */
export const FAILURE = 10_000;

/** The beginning of a text that is too long, with a note. */
export const clip = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}\n[The first ${most} of ${text.length} characters.]`;
