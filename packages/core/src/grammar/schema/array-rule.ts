import { isObject } from "../../common/plain-object.js";
import { distinct as distinctValues } from "../../schema/identity.js";
import type { JsonObject } from "../../schema/json.js";
import { listedValues } from "../../schema/listed-values.js";
import { typesOf } from "../../schema/words.js";
import type { JsonSchema } from "../../types.js";
import { isCountable, memberList } from "../member-list.js";
import { repeat, sequence } from "../rules.js";
import { countedRow, type Row, wantedOf } from "./contains-rule.js";
import { JsonRules } from "./json-rules.js";
import type { NodeContext } from "./node-context.js";

/** The maximum number of listed values from which `uniqueItems` is enforced. */
const MAX_VALUES = 64;

/** An expression for the matching arrays; undefined where there are none. */
export function arrayRule(node: JsonObject, context: NodeContext): string | undefined {
  const [min, max] = [counted(node, "minItems", context) ?? 0, counted(node, "maxItems", context)];
  const items = itemList(node, min, max, context);
  if (items === undefined) return undefined;
  const { open, end, close } = context.json.brackets;
  const mayBeEmpty = min === 0 && (wantedOf(node)?.least ?? 0) === 0;
  const inside = items === "" ? "" : repeat(sequence(items, end), mayBeEmpty ? 0 : 1, 1);
  return context.rules.add(context.hint, sequence(open, inside, close));
}

/** A bound for the number of items, if it is small enough to repeat a rule. */
export function counted(node: JsonObject, keyword: string, { unenforced }: NodeContext): number | undefined {
  const count = node[keyword] as number | undefined;
  if (JsonRules.countable(count)) return count;
  unenforced(keyword);
  return undefined;
}

/** One item or more, `min` to `max` in total; empty: no item is allowed. */
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
  const possible = prefix.includes(undefined) ? prefix.slice(0, prefix.indexOf(undefined)) : prefix;
  const most = item === undefined ? possible.length : max;
  if (most !== undefined && min > most) {
    const denied = ((node.prefixItems as JsonSchema[] | undefined)?.[most] ?? rest) === false;
    return denied || (max !== undefined && min > max) ? context.nothing("minItems") : undefined;
  }
  const wanted = wantedOf(node);
  const bound = item === undefined ? most : bounded(max, Math.max(min, prefix.length, wanted?.least ?? 0), context);
  const row = { prefix: possible as string[], item, min, max: bound };
  const counting = wanted && countedRow(node, wanted, row, context);
  return counting ? counting.written : inRow({ ...row, min: Math.max(1, min) }, context.json.comma);
}

/** The maximum length of an array whose schema allows `max` items (undefined: any number), and at least `min`. */
function bounded(max: number | undefined, min: number, { maxItems, narrowed }: NodeContext): number | undefined {
  if (max !== undefined || maxItems === undefined) return max;
  narrowed("maxItems");
  return Math.max(min, maxItems);
}

/** The prefix, then further items: at least `min` (one or more) and at most `max` in total. */
function inRow({ prefix, item: rest, min, max }: Row, comma: string): string {
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

/** Arrays of listed values without repetition. */
function distinct(items: JsonSchema, min: number, max: number | undefined, context: NodeContext): Written | undefined {
  // A value may be listed twice, with its keys in another order.
  const listed = finiteValues(context.flat(items), context);
  const values = listed && distinctValues(listed);
  if (!values || values.length > MAX_VALUES) return undefined;
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

function finiteValues(items: JsonSchema, { matches }: NodeContext): unknown[] | undefined {
  if (!isObject(items)) return undefined;
  const listed = listedValues(items);
  if (listed) return listed.filter((value) => matches(items, value));
  const types = typesOf(items);
  if (types.length === 0 || !types.every((type) => type === "boolean" || type === "null")) return undefined;
  return [...(types.includes("boolean") ? [true, false] : []), ...(types.includes("null") ? [null] : [])];
}
