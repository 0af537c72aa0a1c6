import { deepCompareStrict } from "@cfworker/json-schema";
import { isObject } from "../plain-object.js";
import type { JsonObject } from "../schema/json.js";
import { typesOf } from "../schema/words.js";
import type { JsonSchema } from "../types.js";
import { JsonRules } from "./json-rules.js";
import { isCountable, memberList } from "./member-list.js";
import type { NodeContext } from "./node-context.js";
import { choice, repeat, sequence } from "./rules.js";

/** Of so many listed values at most arrays without repetition are told apart. */
const MOST_VALUES = 64;
/** In arrays of more items the place of one that must be there is not counted. */
const MOST_PLACES = 16;

/** The arrays that fit; undefined where there are none. */
export function arrayRule(node: JsonObject, context: NodeContext): string | undefined {
  const [min, max] = [counted(node, "minItems", context) ?? 0, counted(node, "maxItems", context)];
  const items = itemList(node, min, max, context);
  if (items === undefined) return undefined;
  const { open, end, close } = context.json.brackets;
  const isEmpty = min === 0 && !mustContain(node);
  const inside = items === "" ? "" : repeat(sequence(items, end), isEmpty ? 0 : 1, 1);
  return context.rules.add(context.hint, sequence(open, inside, close));
}

const mustContain = (node: JsonObject) => node.contains !== undefined && node.minContains !== 0;

/** A bound that is small enough to be written out. */
export function counted(node: JsonObject, keyword: string, { unenforced }: NodeContext): number | undefined {
  const count = node[keyword] as number | undefined;
  if (JsonRules.countable(count)) return count;
  unenforced(keyword);
  return undefined;
}

/** One item or more, of `min` to `max`; empty: there are none. */
function itemList(node: JsonObject, min: number, max: number | undefined, context: NodeContext): string | undefined {
  const { hint } = context;
  const prefix = ((node.prefixItems as JsonSchema[] | undefined) ?? [])
    .slice(0, max)
    .map((part, i) => context.expression(part, `${hint}-${i + 1}`));
  const rest = (node.items as JsonSchema | undefined) ?? true;
  const unique = node.uniqueItems === true && (max === undefined || max > 1);
  if (unique && prefix.length === 0 && node.contains === undefined) {
    const listed = distinct(rest, min, max, context);
    if (listed !== undefined) return listed.written;
  }
  const isOpen = prefix.every((item) => item !== undefined) && max !== prefix.length;
  const item = isOpen ? context.expression(rest, `${hint}-item`) : undefined;
  if (unique) context.unenforced("uniqueItems");
  const found = containing(node, item, prefix.length, min, max, context);
  if (found) return found.written;
  const possible = prefix.includes(undefined) ? prefix.slice(0, prefix.indexOf(undefined)) : prefix;
  const most = item === undefined ? possible.length : max;
  if (most !== undefined && min > most) return max !== undefined && min > max ? context.nothing("minItems") : undefined;
  const bound = item === undefined ? max : bounded(max, Math.max(min, prefix.length), context);
  return inRow(possible as string[], item, Math.max(1, min), bound, context.json.comma);
}

/** The most items of an array that may have `max` of them, and has at least `min`. */
function bounded(max: number | undefined, min: number, { maxItems, narrowed }: NodeContext): number | undefined {
  if (max !== undefined || maxItems === undefined) return max;
  narrowed("maxItems");
  return Math.max(min, maxItems);
}

/** First the prefix, then the rest, at least `min` (one or more) and at most `max` in all. */
function inRow(
  prefix: readonly string[],
  rest: string | undefined,
  min: number,
  max: number | undefined,
  comma: string,
): string {
  if (max === 0) return "";
  if (prefix.length === 0) {
    if (rest === undefined) return "";
    return sequence(rest, repeat(sequence(comma, rest), min - 1, max === undefined ? undefined : max - 1));
  }
  const left = max === undefined ? undefined : max - prefix.length;
  let tail = rest === undefined ? "" : repeat(sequence(comma, rest), Math.max(0, min - prefix.length), left);
  for (let i = prefix.length - 1; i >= 0; i--) {
    const from = sequence(i > 0 ? comma : "", prefix[i]!, tail);
    tail = i < min ? from : repeat(from, 0, 1);
  }
  return tail;
}

type Written = { written: string | undefined };

/** Arrays in which no value comes twice, of values that are listed. */
function distinct(items: JsonSchema, min: number, max: number | undefined, context: NodeContext): Written | undefined {
  // Values may be listed twice, with their keys in another order.
  const values = listedValues(context.flat(items), context)?.filter(
    (value, i, all) => all.findIndex((other) => deepCompareStrict(other, value)) === i,
  );
  if (!values || values.length > MOST_VALUES) return undefined;
  const members = values.flatMap((value, i) => {
    const written = context.json.constant(value, () => context.narrowed("items"));
    return written === undefined ? [] : [{ name: String(i), written, required: false }];
  });
  const anyOrder = members.length <= context.maxUnordered;
  if (!isCountable({ members, min, max, anyOrder })) return undefined;
  if (members.length < values.length) context.narrowed("items");
  if (!anyOrder) context.narrowed("uniqueItems");
  const list = { members, min: Math.max(1, min), max, comma: context.json.comma, anyOrder };
  if (min === 0 && members.length === 0) return { written: "" };
  return { written: memberList(context.rules, `${context.hint}-values`, list) ?? context.nothing("uniqueItems") };
}

function listedValues(items: JsonSchema, { fits }: NodeContext): unknown[] | undefined {
  if (!isObject(items)) return undefined;
  const types = typesOf(items);
  if ("const" in items || Array.isArray(items.enum)) {
    return ((items.enum as unknown[] | undefined) ?? [items.const]).filter((value) => fits(items, value));
  }
  if (types.length === 0 || !types.every((type) => type === "boolean" || type === "null")) return undefined;
  return [...(types.includes("boolean") ? [true, false] : []), ...(types.includes("null") ? [null] : [])];
}

/** Arrays that hold an item of some kind; undefined where that is not asked or cannot be told. */
function containing(
  node: JsonObject,
  item: string | undefined,
  prefixed: number,
  min: number,
  max: number | undefined,
  context: NodeContext,
): Written | undefined {
  const [contains, items = true] = [node.contains, node.items] as (JsonSchema | undefined)[];
  if (contains === undefined) return undefined;
  const { minContains: least = 1, maxContains: most } = node as { minContains?: number; maxContains?: number };
  if (least > Math.min(most ?? least, max ?? least)) return { written: context.nothing("minContains") };
  if (most !== undefined) context.unenforced("maxContains");
  if (!mustContain(node)) return undefined;
  const wanted = context.expression({ allOf: [items, contains] }, `${context.hint}-contained`);
  if (prefixed === 0 && wanted === undefined) return { written: context.nothing("contains") };
  const { comma } = context.json;
  if (prefixed > 0 || item === undefined || wanted === undefined || (max !== undefined && max > MOST_PLACES)) {
    context.unenforced("contains");
    return undefined;
  }
  if (max === undefined && min <= least) {
    const more = repeat(sequence(comma, item), 0, undefined);
    const again = repeat(sequence(more, comma, wanted), least - 1, least - 1);
    return { written: sequence(repeat(sequence(item, comma), 0, undefined), wanted, again, more) };
  }
  if (max === undefined || least > 1) {
    context.unenforced(least > 1 ? "minContains" : "contains");
    return undefined;
  }
  const places = Array.from({ length: max }, (_, before) =>
    sequence(
      repeat(sequence(item, comma), before, before),
      wanted,
      repeat(sequence(comma, item), Math.max(0, min - 1 - before), max - 1 - before),
    ),
  );
  return { written: places.length === 0 ? context.nothing("contains") : choice(places) };
}
