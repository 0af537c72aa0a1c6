/**
 * A number of things, in words.
 *
 * @example counted(1, "reply", "replies"); // "1 reply"
 */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
