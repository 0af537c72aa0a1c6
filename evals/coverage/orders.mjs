// Objects whose keys come in any order: which orders each compiler's grammar admits, and what that takes in ours.
import { jsonSchemaToGbnf } from "@toolingua/core/grammar";

/** Numbers of keys: what our grammars admit in any order by default is 4, what they can at most 10. */
export const SIZES = [3, 4, 5, 6, 8, 10];
/** Orders asked of each size. */
export const ORDERS = 24;

/** An object of that many required integers, and its value in some orders of its keys, the schema's own first. */
export function orderCase(size) {
  const names = Array.from({ length: size }, (_, i) => `key_${i}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: "integer" }]));
  const schema = { type: "object", properties, required: names, additionalProperties: false };
  const texts = ordersOf(names).map((order) => JSON.stringify(Object.fromEntries(order.map((name) => [name, 1]))));
  return { schema, texts };
}

/** Different orders of a list, the same each time: steps through its permutations by a fixed number. */
function ordersOf(list) {
  const all = list.reduce((product, _, i) => product * (i + 1), 1);
  const count = Math.min(ORDERS, all);
  return Array.from({ length: count }, (_, i) => permutation(list, Math.floor((i * all) / count)));
}

function permutation(list, number) {
  const left = [...list];
  return list.map((_, i) => {
    const [one] = left.splice(number % (list.length - i), 1);
    number = Math.floor(number / (list.length - i));
    return one;
  });
}

/** The bytes of our grammar for an object of that many keys; `anyOrder`: with all of its orders. */
export const grammarBytes = (size, anyOrder) =>
  jsonSchemaToGbnf(orderCase(size).schema, anyOrder ? { maxUnordered: size } : {}).grammar.length;
