import { parsedJson } from "../../common/json-text.js";
import { keepsDigits } from "../numbers.js";
import { quoteEnd } from "./whole-json.js";

/**
 * The value of strict JSON, with the digits of a number that JavaScript cannot represent as a string; undefined for any other
 * text. Of two values of a key it has the last, as `JSON.parse`.
 *
 * Errors: none. `unkept` is called with the digits of each such number.
 *
 * @example keptJson('{"id": 12345678901234567890, "n": 1.5}'); // { id: "12345678901234567890", n: 1.5 }
 */
export function keptJson(text: string, unkept?: (digits: string) => void): unknown {
  const value = parsedJson(text);
  if (value === undefined || !MAY_BE_UNKEPT.test(text)) return value;
  let kept = "";
  let from = 0;
  for (const { at, digits } of unkeptIn(text)) {
    unkept?.(digits);
    kept += `${text.slice(from, at)}"${digits}"`;
    from = at + digits.length;
  }
  return from === 0 ? value : parsedJson(kept + text.slice(from));
}

/**
 * The first number in strict JSON that a JavaScript number does not keep, as it is written; undefined if there is none.
 *
 * Errors: none.
 *
 * @example unkeptNumber('{"id": 12345678901234567890}'); // "12345678901234567890"
 * @example unkeptNumber('{"id": "12345678901234567890"}'); // undefined
 */
export function unkeptNumber(json: string): string | undefined {
  if (!MAY_BE_UNKEPT.test(json)) return undefined;
  for (const { digits } of unkeptIn(json)) return digits;
  return undefined;
}

/** Matches what every number has that is not kept: an integer part of 16 digits, or an exponent. */
const MAY_BE_UNKEPT = /\d(?:\d{15}|[eE])/;

function* unkeptIn(json: string): Generator<{ at: number; digits: string }> {
  const tokens = /"|-?\d[\d.eE+-]*/g;
  for (let token = tokens.exec(json); token; token = tokens.exec(json)) {
    const [digits] = token;
    if (digits !== '"') {
      if (!keepsDigits(Number(digits), digits)) yield { at: token.index, digits };
      continue;
    }
    const end = quoteEnd(json, token.index + 1);
    if (end < 0) return;
    tokens.lastIndex = end + 1;
  }
}
