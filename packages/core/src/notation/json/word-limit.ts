import type { Input } from "../input.js";

/** The longest key or unquoted value to wait for, in UTF-16 code units. */
export const MAX_TOKEN = 1024;

/** Whether an unquoted word that ends at an index may continue, or is too long to wait for. */
export const isHalf = (input: Input, end: number): boolean =>
  (end === input.text.length && !input.final) || end - input.pos > MAX_TOKEN;
