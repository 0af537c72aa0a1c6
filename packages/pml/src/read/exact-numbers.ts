import { readNumber } from "@toolingua/core/adapters";

/** A string's quote, or a number. */
const TOKEN = /"|-?\d[\d.eE+-]*/g;

/**
 * The object of a JSON text in which every integer with more digits than a number keeps is the string of its digits, as the
 * core's reader reads it.
 *
 * @param json a text that `JSON.parse` accepts
 * @param value its result
 * @example withExactNumbers('{"id": 12345678901234567890}', { id: 12345678901234567000 }); // { id: "12345678901234567890" }
 */
export function withExactNumbers(json: string, value: Record<string, unknown>): Record<string, unknown> {
  // Every integer of fewer digits is kept.
  if (!/\d{16}/.test(json)) return value;
  let made = "";
  let copied = 0;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(json); found; found = TOKEN.exec(json)) {
    const [token] = found;
    if (token === '"') TOKEN.lastIndex = stringEnd(json, found.index);
    else if (readNumber(token) === undefined) {
      made += `${json.slice(copied, found.index)}"${token}"`;
      copied = TOKEN.lastIndex;
    }
  }
  return made === "" ? value : JSON.parse(made + json.slice(copied));
}

/** The index after the string that begins at an index. */
function stringEnd(json: string, from: number): number {
  let at = from + 1;
  while (json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at + 1;
}
