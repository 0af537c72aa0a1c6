import { isObject } from "../../common/plain-object.js";
import { readJsonText } from "../../notation/json/read-json.js";
import { Lookahead } from "../../notation/lookahead.js";
import { join } from "../../schema/json.js";
import { typeNamed } from "../../schema/json-types.js";
import { type Plan, property, takesOthers } from "../../schema/plan.js";
import { bareSpelling } from "../../schema/spelling.js";
import { meantSpellings } from "../../syntax/spelling.js";
import { ARGUMENT_KEYS, ASIDE_KEYS, CALL_KEYS, NAME_KEYS } from "./call-keys.js";
import { loneArgument, mayBeOther, mayContainArguments, NOTHING, textBegins } from "./lone-text.js";
import type { Repairs } from "./repairs.js";
import { isEmpty } from "./unknown-keys.js";

/**
 * The arguments inside an object that has none of the tool's parameters: `{"args": {"city": "Rome"}}`, a whole call of
 * the same tool (`{"name": "weather", "arguments": {"city": "Rome"}}`), or its schema with values
 * (`{"type": "object", "properties": {"city": "Rome"}}`). They may be JSON in a string, and plain text is the tool's
 * {@link loneArgument}: `{"input": "Rome"}`. Undefined unless the schema declares every key inside.
 */
export function wrappedArguments(value: unknown, plan: Plan, tool?: string): Record<string, unknown> | undefined {
  const { properties, schema } = plan;
  if (!isObject(value) || properties.size === 0 || describesOthers(schema)) return undefined;
  let inside = value;
  while (!Object.keys(inside).some((key) => properties.has(key))) {
    const [key, ...others] = Object.keys(inside).filter((name) => !isBeside(name, inside[name], tool));
    const next = key === undefined ? undefined : objectIn(key, inside[key]);
    const isOnly = Object.keys(inside).length === 1;
    if (key === undefined || others.length > 0) return undefined;
    if (!next) return isOnly && ARGUMENT_KEYS.has(key) ? textArgument(inside[key], plan, tool) : undefined;
    if (key === "properties" ? Object.values(next).some(isSchema) : !isOnly && !CALL_KEYS.has(key)) return undefined;
    inside = next;
  }
  const isKnown = Object.keys(inside).every((key) => properties.has(key));
  return inside !== value && isKnown ? inside : undefined;
}

/** An object, or the one that is written as text under the key of a call's arguments. */
function objectIn(key: string, value: unknown): Record<string, unknown> | undefined {
  const isText = typeof value === "string" && ARGUMENT_KEYS.has(key) && /^\s*\{/.test(value);
  const read = isText ? readJsonText(value) : value;
  return isObject(read) ? read : undefined;
}

/**
 * Text in place of the arguments, as the tool's {@link loneArgument}; undefined if it may contain arguments, or be the value
 * of another one, or a call of the tool.
 */
export function textArgument(text: unknown, plan: Plan, tool?: string): Record<string, unknown> | undefined {
  const lone = typeof text === "string" && text.trim() !== "" ? loneArgument(plan) : undefined;
  if (typeof text !== "string" || lone === undefined || NOTHING.test(text.trim())) return undefined;
  const name = /^\s*([^\s(]{1,256})\(/.exec(text)?.[1];
  if (mayBeOther(text, plan) || (name !== undefined && isSameTool(name, tool))) return undefined;
  const isText = textBegins(new Lookahead({ text: text.trimStart(), final: true }), 0);
  return isText && !mayContainArguments(text, [...plan.properties.keys()]) ? { [lone]: text } : undefined;
}

/**
 * The arguments in a part of an object that has others beside it: `{"city": "Rome", "args": {"days": 2}}`; none in an empty
 * part, as in `<arguments/>`. Undefined unless the schema declares every key inside, and not the key itself.
 */
export function partlyWrapped(key: string, value: unknown, plan: Plan): Record<string, unknown> | undefined {
  if (!mayWrap(key, plan)) return undefined;
  const inside = value === "" ? {} : objectIn(key, value);
  if (inside && isEmpty(inside) && mayHaveAny(plan)) return undefined;
  return inside && Object.keys(inside).every((name) => plan.properties.has(name)) ? inside : undefined;
}

/** Whether a tool may have any arguments: its schema says so, or says nothing. */
const mayHaveAny = (plan: Plan) => takesOthers(plan) || !(isObject(plan.schema) && isObject(plan.schema.properties));

/** Refuses keys that the tool lacks beside wrapped arguments: they may show that it is the call of another tool. */
export function refuseOthers(keys: readonly string[], { properties }: Plan, repairs: Repairs): void {
  for (const key of keys) if (!properties.has(key)) repairs.refuse("the tool has no such argument", join("", key));
}

/** Whether a key may be that of a part of the arguments: the tool lacks it, and describes no undeclared keys. */
export const mayWrap = (key: string, { properties, schema }: Plan): boolean =>
  !properties.has(key) && ARGUMENT_KEYS.has(key) && !describesOthers(schema);

/** Whether a key may stand beside the arguments' own in an object that is no more than their wrapping. */
export const isBeside = (key: string, value: unknown, tool: string | undefined): boolean =>
  (ASIDE_KEYS.has(key) && typeof value !== "object") ||
  (NAME_KEYS.has(key) && typeof value === "string" && isSameTool(value, tool)) ||
  // An empty text may be the tool's one string.
  (ARGUMENT_KEYS.has(key) && value !== "" && isEmpty(value)) ||
  (key === "required" && Array.isArray(value));

const isSameTool = (written: string, tool: string | undefined) =>
  tool !== undefined && meantSpellings(written).includes(bareSpelling(tool));

/** Whether a value of `properties` is a parameter's schema and not its value. */
const isSchema = (part: unknown) => isObject(part) && !("value" in part);

/**
 * The arguments in a list that names each one: `[{"name": "city", "value": "Rome"}]`. `name` may be `key`, and a `type` may
 * stand beside it. Undefined unless the schema declares every name and has no parameter `value`.
 */
export function namedValues(list: unknown, { properties }: Plan): Record<string, unknown> | undefined {
  if (!Array.isArray(list) || properties.has("value")) return undefined;
  const args = new Map<string, unknown>();
  for (const item of list) {
    const { name, key = name, value, ...others } = isObject(item) ? item : {};
    if (typeof key !== "string" || !properties.has(key) || args.has(key) || value === undefined) return undefined;
    if (Object.keys(others).some((other) => other !== "type")) return undefined;
    args.set(key, value);
  }
  return args.size > 0 ? Object.fromEntries(args) : undefined;
}

/** The value in `{"type": "string", "value": "Rome"}`, where the schema allows that type and no object. */
export function typedValue(object: unknown, { types }: Plan): unknown {
  if (!isObject(object) || !types || types.includes("object") || Object.keys(object).length !== 2) return undefined;
  const type = typeof object.type === "string" ? typeNamed(object.type) : undefined;
  return type !== undefined && types.includes(type) ? object.value : undefined;
}

/** Whether the schema says what the values of undeclared keys are. */
const describesOthers = (schema: Plan["schema"]) =>
  isObject(schema) && (schema.patternProperties !== undefined || isObject(schema.additionalProperties));

/**
 * Whether a key occurs in an object that does not declare it, inside one that declares it and lacks it: where brackets
 * are missing, the key may belong to the outer object.
 */
export function holdsMisplaced(value: unknown, plan: Plan, outer: readonly (readonly [object, Plan])[] = []): boolean {
  if (Array.isArray(value)) return value.some((item, i) => holdsMisplaced(item, plan.prefix[i] ?? plan.items, outer));
  if (!isObject(value)) return false;
  const around = [...outer, [value, plan] as const];
  return Object.entries(value).some(([key, part]) => {
    const isElsewhere = outer.some(([object, { properties }]) => properties.has(key) && !Object.hasOwn(object, key));
    if (!plan.properties.has(key) && isElsewhere) return true;
    const next = property(plan, key)?.plan;
    return next !== undefined && holdsMisplaced(part, next, around);
  });
}

/**
 * Whether an object in the arguments names a tool, by its name as a call does or by its key: where brackets are
 * missing, it may be the next call.
 */
export function holdsCall(value: unknown, isTool: (name: string) => boolean): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((part) => {
    const isCall = isObject(part) && Object.entries(part).some(([of, name]) => names(of, name, isTool));
    return isCall || holdsCall(part, isTool);
  });
}

const names = (key: string, value: unknown, isTool: (name: string) => boolean): boolean =>
  typeof value === "string" ? CALL_KEYS.has(key) && isTool(value) : isObject(value) && isTool(key);
