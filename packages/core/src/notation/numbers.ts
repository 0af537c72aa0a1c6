import { clip } from "../common/clip.js";
/** A number in decimal notation, also one that JSON writes otherwise: `+1`, `.5`, `007`. */
export const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The number that a text in decimal notation represents, or undefined where JavaScript cannot represent it: it is above
 * the largest number, or its integer part has more digits than a number keeps; or where it may be octal (`0755`). Digits after
 * the point may be rounded, as every JSON parser does.
 *
 * @example readNumber("12.50"); // 12.5
 * readNumber("12345678901234567890"); // undefined
 */
export function readNumber(source: string): number | undefined {
  // Adding 0 turns -0 into 0, because JSON writers do not keep -0.
  const value = Number(source) + 0;
  return keepsDigits(value, source) ? value : undefined;
}

/** Whether a number may be octal, and would then be another one: `0755`, but not `007`. */
export const mayBeOctal = (source: string): boolean => /^\s*[+-]?0+[1-7][0-7]+\s*$/.test(source);

/**
 * Whether a number that its source does not equal may be rounded: it is no integer. Another integer is another thing, as an
 * id.
 */
export const mayBeRounded = (source: string): boolean => /\.\d*[1-9]/.test(source) && Number.isFinite(Number(source));

/** Whether a number equals its source, see {@link readNumber}. */
export function keepsDigits(value: number, source: string): boolean {
  if (mayBeOctal(source)) return false;
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return true;
  if (!Number.isFinite(value)) return false;
  // A number with an exponent gives an order of magnitude.
  return /^[-+.\d]*e/i.test(source) || digits(source.replace(/\..*/, "")) === digits(String(value));
}

/** A number's digits without its minus, point and exponent, and without the zeros at both ends. */
const digits = (number: string) =>
  number
    .replace(/e.*/, "")
    .replace(".", "")
    .replace(/^[+-]?0*|0*$/g, "");

/**
 * The message for the model about a number beyond the largest one, an integer with more digits than a number keeps, or a number
 * that may be octal.
 */
export function unreadNumber(source: string): string {
  const number = `the number ${clip(source, 40)}`;
  if (mayBeOctal(source)) return `${number} may be octal: write its value in decimal, without the zero`;
  return `${number} cannot be kept exactly by this tool`;
}
