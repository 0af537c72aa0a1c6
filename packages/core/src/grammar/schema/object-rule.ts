import type { JsonObject } from "../../schema/json.js";
import { GrammarError } from "../errors.js";
import { isCountable, type Member, memberList } from "../member-list.js";
import { choice, repeat, sequence } from "../rules.js";
import { counted } from "./array-rule.js";
import type { NodeContext } from "./node-context.js";
import { type ObjectShape, type Others, objectShape } from "./object-shape.js";

/**
 * The matching objects; undefined where there are none.
 *
 * Errors: {@link GrammarError} `unsupported` for a required key that the format cannot write.
 */
export function objectRule(node: JsonObject, context: NodeContext): string | undefined {
  const { minProperties = 0, maxProperties } = node as { minProperties?: number; maxProperties?: number };
  if (maxProperties !== undefined && minProperties > maxProperties) return context.nothing("minProperties");
  const shape = objectShape(node, context);
  const rule = shapeRule(node, shape, context);
  const required = (node.required as string[] | undefined) ?? [];
  const isDenied = shape.properties.some(([name, part]) => part === false && required.includes(name));
  if (rule !== undefined || isDenied || node.additionalProperties === false) return rule;
  return shapeRule(node, objectShape(node, context, true), context);
}

/** The objects of one shape. */
function shapeRule(node: JsonObject, shape: ObjectShape, context: NodeContext): string | undefined {
  const { json, rules, hint } = context;
  if (shape.others.some(({ keys }) => keys === true) && json.strings.shortens(0, undefined))
    context.narrowed("maxStringLength");
  if (shape.others.length > 0 && json.narrowsKeys) context.narrowed("additionalProperties");
  if (isAnyObject(shape) && node.minProperties === undefined && node.maxProperties === undefined) {
    for (const option of ["maxDepth", "maxItems"] as const) if (context[option] !== undefined) context.narrowed(option);
    return json.anyObject();
  }
  const declared = declaredMembers(node, shape, context);
  if (declared === undefined) return undefined;
  const { members, leftOut } = declared;
  const names = shape.properties.map(([name]) => name);
  const others = shape.others.map((one) => otherMember(node, one, names, context)).filter((one) => one !== undefined);
  const { open, comma, end, close } = json.braces;
  const counts = objectCounts(node, members, others.length > 0, context);
  const other = others.length === 0 ? "" : choice(others);
  const anyOrder = isUnordered(members.length, others.length > 0, context);
  const mayBeEmpty = (counts.min ?? 0) === 0 && !members.some((member) => member.required);
  const min = Math.max(1, counts.min ?? 0);
  const some = memberList(rules, hint, { members, other, ...counts, min, comma, anyOrder });
  if (some === undefined && !mayBeEmpty) {
    if (leftOut !== undefined) throw unwritable(leftOut);
    return context.nothing("min" in counts ? "minProperties" : "maxProperties");
  }
  const inside = some === undefined ? "" : repeat(sequence(some, end), mayBeEmpty ? 0 : 1, 1);
  return rules.add(hint, sequence(open, inside, close));
}

/**
 * The declared keys with their values, and one that the format cannot write, if any; undefined if a required key has no
 * value.
 */
function declaredMembers(
  node: JsonObject,
  { properties }: ObjectShape,
  context: NodeContext,
): { members: Member[]; leftOut: string | undefined } | undefined {
  const required = new Set((node.required as string[] | undefined) ?? []);
  const members: Member[] = [];
  let leftOut: string | undefined;
  for (const [name, part] of properties) {
    const isRequired = required.has(name);
    const key = context.json.key(name);
    if (key === undefined) {
      if (isRequired) throw unwritable(name);
      context.narrowed("properties");
      leftOut = name;
      continue;
    }
    const value = context.expression(part, name);
    if (value !== undefined) members.push({ name, written: sequence(key, value), required: isRequired });
    else if (isRequired) return part === false ? context.nothing("required") : undefined;
  }
  return { members, leftOut };
}

/** Whether the keys come in any order. If they could but do not, that is noted. */
function isUnordered(count: number, isOpen: boolean, { maxUnordered, narrowed }: NodeContext): boolean {
  if (count <= maxUnordered) return true;
  if (count > 1 || isOpen) narrowed("properties");
  return false;
}

const isAnyObject = ({ properties, others }: ObjectShape) =>
  properties.length === 0 && others.length === 1 && others[0]!.keys === true && others[0]!.schema === true;

/** An expression for an undeclared key with its value. */
function otherMember(
  node: JsonObject,
  one: Others,
  names: readonly string[],
  context: NodeContext,
): string | undefined {
  const { json, hint } = context;
  const value = context.expression(one.schema, `${hint}-value`);
  if (value === undefined) return undefined;
  if (one.keys === true) {
    const free = json.keyExcept(names);
    return free && sequence(free, value);
  }
  const key = context.expression(one.keys, `${hint}-key`, () => {
    // The expression may admit a declared key.
    if (node.properties !== undefined) context.unenforced("properties");
  });
  if (key === undefined) return undefined;
  const keyed = json.keyOf(key);
  if (keyed === undefined) context.narrowed(one.by);
  return keyed && sequence(keyed, value);
}

/** Bounds for the number of members, as far as the grammar counts them. */
function objectCounts(
  node: JsonObject,
  members: readonly Member[],
  isOpen: boolean,
  context: NodeContext,
): { min?: number; max?: number } {
  const [min, max] = [counted(node, "minProperties", context), counted(node, "maxProperties", context)];
  const required = members.filter((member) => member.required).length;
  // An undeclared key may occur twice, and then counts once.
  if (isOpen && min !== undefined && min > Math.max(1, required)) context.unenforced("minProperties");
  const counts = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
  const anyOrder = members.length <= context.maxUnordered;
  if (isCountable({ members, other: isOpen ? "x" : "", ...counts, anyOrder })) return counts;
  for (const keyword of Object.keys(counts)) context.unenforced(`${keyword}Properties`);
  return {};
}

const unwritable = (key: string) =>
  new GrammarError("unsupported", `This format cannot write the key ${JSON.stringify(key)}.`);
