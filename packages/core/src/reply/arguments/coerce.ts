import { isObject } from "../../common/plain-object.js";
import { inCodeBlock } from "../../notation/json/code-block.js";
import { readJsonText } from "../../notation/json/read-json.js";
import { valuesOfLines } from "../../notation/loose-lines.js";
import { decodeXml } from "../../notation/markup/markup.js";
import { readNested, readPlain } from "../../notation/markup/nested.js";
import { mayBeRounded, NUMERIC, readNumber, unreadNumber } from "../../notation/numbers.js";
import { assign } from "../../notation/own-property.js";
import { isSame, repeatedKeyMessage } from "../../notation/repeated-keys.js";
import { jsonOf } from "../../notation/value-sink.js";
import { admits } from "../../schema/admits.js";
import { join } from "../../schema/json.js";
import { hasOneOf, hasType } from "../../schema/json-types.js";
import {
  isLeftOut,
  type Plan,
  type Property,
  property,
  takesAnyText,
  takesListed,
  takesNoWord,
  takesOnlyNumbers,
} from "../../schema/plan.js";
import { hasParts } from "../../schema/quickly-matches.js";
import { requiredOf } from "../../schema/required.js";
import type { RepairCode } from "../../types.js";
import { loneArgument } from "./lone-text.js";
import { matchesAsIs } from "./matches-as-is.js";
import { type Attempt, adopt, choose, isLiteral, MISMATCH, type Reading } from "./nearest.js";
import { isContents, isOther, itemsIn } from "./parts.js";
import { Repairs } from "./repairs.js";
import {
  BOOLEANS,
  beginsWithElement,
  HOLDS_LIST,
  isNullOrEmpty,
  listed,
  mayBeThousands,
  meansNull,
  QUOTED_TUPLE,
  SET,
  withoutSecondEscapes,
  withoutSeparators,
} from "./text-values.js";
import { dropKey, refuseOfOthers } from "./unknown-keys.js";
import { namedValues, partlyWrapped, refuseOthers, textArgument, typedValue, wrappedArguments } from "./wrapped.js";

/** The work limit for one value: nested unions could otherwise take exponential time. */
const BUDGET = 20_000;

/**
 * Coerces a complete value to its schema where the meaning is clear: `"5"` → 5 for a number, `"[1]"` → [1] and a single
 * value → list for an array, a differently spelled enum value, JSON text → object, the union branch that matches best.
 * Every other value stays unchanged, and validation reports it. Each change is noted in `repairs`.
 *
 * @example coerce("5", planFor({ properties: { n: { type: "integer" } } }).properties.get("n")!, "/n", new Repairs()); // 5
 */
export function coerce(value: unknown, plan: Plan, path: string, repairs: Repairs, context: Context = {}): unknown {
  return new Coercion(repairs, context).value(value, plan, path, context.source);
}

/** What is known of a value besides its schema. */
interface Context {
  /** The number as written, so that a string keeps its digits ("1.50"). */
  source?: string | undefined;
  /** Strings in the value that are the digits of a number that JavaScript cannot represent. */
  unkept?: Set<string> | undefined;
  /** The tool's name: a whole call of it in place of its arguments is read as these. */
  tool?: string | undefined;
}

/**
 * Whether a value says that an optional argument is absent: null, or a text for it (`"None"`, `"null"`, `""`) where the
 * schema allows neither null nor that text. Among listed values, other words for it (`"none"`) may mean a choice that the tool
 * lacks.
 */
export function isAbsent(value: unknown, parent: Plan, { key, plan }: Property): boolean {
  const isWord = takesNoWord(plan) ? meansNull(value) : isNullOrEmpty(value) && takesListed(plan);
  if (value !== null && !isWord) return false;
  if (!isLeftOut(parent, key, plan)) return false;
  return value === null || !matchesAsIs(coerce(value, plan, "", new Repairs()), plan);
}

const shapes: Partial<Record<Plan["kind"], readonly string[]>> = { object: ["object"], array: ["array"] };

/** The allowed types of a value; empty: any. */
const allowedTypes = (plan: Plan): readonly string[] => plan.types ?? shapes[plan.kind] ?? [];

/** How much worse an alternative is where the value is only its JSON than one with a repair. */
const AS_TEXT = 500;

/** The limit of nested schemas, because a schema that refers to itself never ends. */
const MAX_BRANCHES = 64;

class Coercion {
  private budget = BUDGET;
  private branches = 0;

  private unkept: Set<string> | undefined;
  private readonly tool: string | undefined;

  constructor(
    private repairs: Repairs,
    { unkept, tool }: Context,
  ) {
    this.unkept = unkept;
    this.tool = tool;
  }

  private repaired<T>(code: RepairCode, path: string, value: T, from?: unknown): T {
    this.repairs.add(code, path, isLiteral(from, value));
    return value;
  }

  value(value: unknown, plan: Plan, path: string, source?: string): unknown {
    if (plan.kind === "any") return this.open(value, path);
    if (--this.budget < 0) return value;
    const inner = typedValue(value, plan);
    if (inner !== undefined) return this.value(this.repaired("unwrapped", path, inner), plan, path);
    const { schema } = plan;
    if (typeof schema === "boolean" && plan.kind !== "object") return value;
    if (typeof schema === "object") {
      if (Array.isArray(schema.enum)) return this.oneOf(value, schema.enum, path);
      if ("const" in schema) return this.oneOf(value, [schema.const], path);
    }
    if (plan.branches.length > 0) return this.branch(value, plan, path, source);
    const types = allowedTypes(plan);
    if (types.length === 0) return this.open(value, path);
    const type = types.find((candidate) => hasType(value, candidate));
    if (type === "object") return this.object(value as Record<string, unknown>, plan, path);
    if (type === "array") return this.array(value as unknown[], plan, path);
    if (type) return value;
    if (types.length > 1) return this.turned(value, types, plan, path, source);
    const turned = this.turn(value, types[0]!, plan, path, source);
    return hasType(turned, types[0]!) ? turned : value;
  }

  /** The value as one of the types; of several, as the nearest. */
  private turned(value: unknown, types: readonly string[], plan: Plan, path: string, source?: string): unknown {
    const attempts = types.flatMap((type) => {
      const attempt = this.attempt(() => this.turn(value, type, plan, path, source));
      return hasType(attempt.value, type) ? [attempt] : [];
    });
    if (attempts.length === 0) return value;
    if (attempts.length === 1) return adopt(attempts[0]!, this.repairs);
    const readings = attempts.map((attempt) => this.measured(attempt, value, plan));
    return choose(value, path, readings, this.repairs);
  }

  private attempt(read: () => unknown): Attempt {
    const outer = this.repairs;
    const repairs = new Repairs();
    this.repairs = repairs;
    const value = read();
    this.repairs = outer;
    return { value, repairs };
  }

  private measured({ value, repairs }: Attempt, given: unknown, plan: Plan): Reading {
    const broken = this.mismatches(value, plan) + repairs.losses.size;
    const isText = typeof value === "string" && hasParts(given);
    return { value, repairs, distance: broken * MISMATCH + repairs.distance + (isText ? AS_TEXT : 0) };
  }

  /** Coerces a value without a schema: a number that JavaScript cannot represent is still a number, see {@link rounded}. */
  private open(value: unknown, path: string): unknown {
    if (!this.unkept) return value;
    if (typeof value === "string") return this.unkept.has(value) ? this.rounded(value, path) : value;
    if (typeof value === "object" && value !== null) {
      const parts = value as Record<string, unknown>;
      for (const [key, part] of Object.entries(parts)) assign(parts, key, this.open(part, join(path, key)));
    }
    return value;
  }

  /** The nearest number to a decimal notation, if it has a fraction: another integer is another thing, and refused. */
  private rounded(digits: string, path: string, type?: string): unknown {
    const number = readNumber(digits);
    if (number !== undefined) return number;
    if (type !== "integer" && mayBeRounded(digits)) return this.repaired("rounded-number", path, Number(digits));
    this.repairs.refuse(unreadNumber(digits), path);
    return digits;
  }

  /** The enum value that is meant: an equal one, or the only one that differs just by quotes, case or space. */
  private oneOf(value: unknown, allowed: readonly unknown[], path: string): unknown {
    if (allowed.some((candidate) => isSame(candidate, value))) return value;
    const wanted = plainly(value);
    const alike = allowed.filter((candidate) => plainly(candidate) === wanted);
    return alike.length === 1 ? this.repaired("enum-spelling", path, alike[0], value) : value;
  }

  /**
   * Tries each branch; the nearest that matches wins, in any order of the branches. A list or an object goes to branches for
   * its kind; only if there are none may it become text.
   */
  private branch(value: unknown, plan: Plan, path: string, source?: string): unknown {
    if (this.branches >= MAX_BRANCHES) return value;
    this.branches++;
    try {
      return this.bestBranch(value, plan, path, source);
    } finally {
      this.branches--;
    }
  }

  private bestBranch(value: unknown, plan: Plan, path: string, source?: string): unknown {
    const own = hasParts(value) ? plan.branches.filter((branch) => admits(branch, value)) : [];
    const readings: Reading[] = [];
    const matches = (branch: Plan) => this.mismatches(value, branch) === 0;
    for (const branch of own.length > 0 ? own : plan.branches) {
      const attempt = this.attempt(() => this.value(value, branch, path, source));
      refuseOfOthers(value, branch, { all: plan.branches, matches, path, repairs: attempt.repairs });
      const reading = this.measured(attempt, value, branch);
      readings.push(reading);
      if (reading.distance === 0) break;
    }
    return choose(value, path, readings, this.repairs);
  }

  /** The number of structural mismatches of a value; 0: it matches. The full check runs on the complete call. */
  private mismatches(value: unknown, plan: Plan, depth = 0): number {
    if (--this.budget < 0 || plan.kind === "any") return 0;
    const { schema } = plan;
    if (schema === false) return 1;
    if (schema === true) return 0;
    if (Array.isArray(schema.enum) && !schema.enum.some((candidate) => isSame(candidate, value))) return 1;
    if ("const" in schema && !isSame(schema.const, value)) return 1;
    if (plan.branches.length > 0) {
      if (depth >= MAX_BRANCHES) return 1;
      return Math.min(...plan.branches.map((branch) => this.mismatches(value, branch, depth + 1)));
    }
    if (plan.types && !hasOneOf(plan.types, value)) return 1;
    let broken = 0;
    if (isObject(value)) {
      broken += requiredOf(schema).filter((key) => !Object.hasOwn(value, key)).length;
      for (const [key, part] of Object.entries(value)) {
        const found = property(plan, key);
        broken += found?.key === key ? this.mismatches(part, found.plan) : 1;
      }
    }
    if (Array.isArray(value)) {
      value.forEach((item, i) => {
        broken += this.mismatches(item, plan.prefix[i] ?? plan.items);
      });
    }
    return broken;
  }

  private object(given: Record<string, unknown>, plan: Plan, path: string): Record<string, unknown> {
    const inside = path === "" ? wrappedArguments(given, plan, this.tool) : undefined;
    if (inside) this.repaired("wrapped-arguments", path, undefined);
    const object = inside ?? given;
    const result: Record<string, unknown> = {};
    const parts = path === "" ? this.unwrappedParts(object, plan) : undefined;
    for (const [key, value] of parts ?? Object.entries(object)) {
      const found = property(plan, key);
      const at = join(path, key);
      if (!found) {
        dropKey(value, plan, at, this.repairs);
        continue;
      }
      if (isAbsent(value, plan, found)) {
        this.repaired("dropped-null", at, undefined);
        continue;
      }
      if (found.key !== key) this.repaired("renamed-key", at, undefined);
      const coerced = this.value(value, found.plan, join(path, found.key));
      const isRepeated = Object.hasOwn(result, found.key) && !isSame(result[found.key], coerced);
      if (isRepeated) this.repairs.refuse(repeatedKeyMessage(found.key), path);
      assign(result, found.key, coerced);
    }
    return result;
  }

  /** The entries of all arguments, with those that lie within a value beside others; undefined if none do. */
  private unwrappedParts(args: Record<string, unknown>, plan: Plan): [string, unknown][] | undefined {
    const parts = Object.entries(args).map((entry) => ({ entry, inside: partlyWrapped(...entry, plan) }));
    if (parts.every(({ inside }) => inside === undefined)) return undefined;
    this.repairs.add("partly-wrapped", "");
    const entries = parts.flatMap(({ entry, inside }) => (inside ? Object.entries(inside) : [entry]));
    if (parts.some(({ inside }) => inside && Object.keys(inside).length > 0))
      refuseOthers(
        entries.map(([key]) => key),
        plan,
        this.repairs,
      );
    return entries;
  }

  private array(array: readonly unknown[], plan: Plan, path: string): unknown[] {
    return array.map((item, i) => {
      const own = plan.prefix[i] ?? plan.items;
      return isOther(item, own) ? item : this.value(item, own, join(path, i));
    });
  }

  private turn(value: unknown, type: string, plan: Plan, path: string, source?: string): unknown {
    switch (type) {
      case "string":
        return this.toText(value, path, source);
      case "number":
      case "integer":
        return this.number(value, type, path);
      case "boolean":
        return this.boolean(value, path);
      case "null":
        return value === "" || plainly(value) === "null" || value === "None"
          ? this.repaired("to-null", path, null, value)
          : value;
      case "array":
        return this.toArray(value, plan, path);
      case "object":
        return this.toObject(value, plan, path);
      default:
        return value;
    }
  }

  private toText(value: unknown, path: string, source?: string): unknown {
    if (value === null) return value;
    const isText = !hasParts(value) || isContents(value, path);
    return isText ? this.repaired("to-string", path, source ?? asText(value)) : value;
  }

  private number(value: unknown, type: string, path: string): unknown {
    if (typeof value !== "string") return value;
    const digits = withoutSeparators(value);
    if (!NUMERIC.test(digits.trim()) || (type === "integer" && mayBeThousands(value))) return value;
    const number = this.rounded(digits.trim(), path, type);
    if (!hasType(number, type)) return value;
    return this.unkept?.has(value) ? number : this.repaired("to-number", path, number, value);
  }

  private boolean(value: unknown, path: string): unknown {
    const meant = typeof value === "string" || typeof value === "number" ? BOOLEANS.get(plainly(value)) : undefined;
    return meant === undefined ? value : this.repaired("to-boolean", path, meant, value);
  }

  private toArray(value: unknown, plan: Plan, path: string): unknown {
    if (value === null || value === undefined || (meansNull(value) && takesAnyText(plan.items))) return value;
    if (typeof value !== "string") return this.itemsOf(value, value, plan, path);
    const read = this.readText(value, plan, path);
    if (Array.isArray(read)) return this.array(this.repaired("parsed-text", path, read), plan, path);
    const parts = listed(value, plan.items);
    if (parts) return this.array(this.repaired("split-text", path, parts), plan, path);
    if (read !== undefined) return this.itemsOf(value, read, plan, path);
    // The broken text of a list is not an item of a list.
    if (HOLDS_LIST.test(value)) return this.quoted(value, plan, path);
    // Text with a separator may be one item or several.
    const mayBeSeveral = beginsWithElement(value) || /\S\s*[,;\n]\s*\S/.test(value);
    return mayBeSeveral ? value : this.itemsOf(value, value, plan, path);
  }

  /** The list with what was read of a value as its only item, or with the items that it contains. */
  private itemsOf(value: unknown, only: unknown, plan: Plan, path: string): unknown {
    const item = plan.prefix[0] ?? plan.items;
    const items = itemsIn(only, item, path);
    if (items) return this.array(this.repaired("to-array", path, items), plan, path);
    if (isOther(only, item)) return value;
    return this.array(this.repaired("to-array", path, [only]), plan, path);
  }

  /** Reads a string with its own quotes as the only item of its list. */
  private quoted(value: string, plan: Plan, path: string): unknown {
    const item = readPlain(value.trim());
    return typeof item === "string" ? this.array(this.repaired("to-array", path, [item]), plan, path) : value;
  }

  /** Reads an object that was written in another way; at the top, the arguments. */
  private toObject(value: unknown, plan: Plan, path: string): unknown {
    const isTop = path === "";
    const named = isTop ? namedValues(value, plan) : undefined;
    if (named) return this.object(this.repaired("paired-arguments", path, named), plan, path);
    const only = onlyObject(value);
    if (only) return this.object(this.repaired("unwrapped", path, only), plan, path);
    const read = typeof value === "string" ? this.readText(value, plan, path) : undefined;
    if (isObject(read)) {
      // At the top, markup without an argument of the tool is text.
      const isText = isTop && /^\s*</.test(String(value)) && !declaresAny(read, plan);
      return isText ? value : this.object(this.repaired("parsed-text", path, read), plan, path);
    }
    if (read !== undefined) return value;
    return isTop ? this.textAsArguments(value, plan) : this.fromLines(value, plan, path);
  }

  private textAsArguments(value: unknown, plan: Plan): unknown {
    // Without a call, text is an answer that does not match its schema.
    if (this.tool === undefined) return value;
    // Words without quotes are broken JSON.
    const text = this.repairs.has("unquoted-string") ? undefined : textArgument(value, plan, this.tool);
    if (text) return this.object(this.repaired("lone-text", "", text), plan, "");
    return this.fromLines(value, plan, "", { mayBeText: loneArgument(plan) !== undefined });
  }

  private fromLines(value: unknown, plan: Plan, path: string, { mayBeText = false } = {}): unknown {
    const lines = typeof value === "string" ? valuesOfLines(value, plan, { mayBeText }) : undefined;
    return lines ? this.object(this.repaired("loose-lines", path, lines), plan, path) : value;
  }

  /** Reads an array or object that was written as text, perhaps in a code block. */
  private readText(text: string, plan: Plan, path: string): unknown {
    const inside = inCodeBlock(text.trim());
    const read = this.readUnfenced(inside ?? text, plan, path);
    return inside === undefined || read === undefined ? read : this.repaired("fence", path, read);
  }

  /** Reads (nearly) JSON, perhaps encoded twice, or nested elements. */
  private readUnfenced(text: string, plan: Plan, path: string): unknown {
    const trimmed = text.trim();
    const dropped = () => this.repairs.add("dropped-attribute", path);
    if (trimmed.startsWith("<")) return readNested(trimmed, plan, { decode: decodeXml, dropped });
    const isTuple = trimmed.startsWith("(") && (takesOnlyNumbers(plan.items) || QUOTED_TUPLE.test(trimmed));
    const unescaped =
      plan.kind === "array" && SET.test(trimmed) ? `[${trimmed.slice(1, -1)}]` : withoutSecondEscapes(trimmed);
    if (!isTuple && !/^["[{]/.test(unescaped)) return undefined;
    const value = readJsonText(unescaped, {
      unkept: (digits) => {
        this.unkept ??= new Set();
        this.unkept.add(digits);
      },
      repeated: (key) => this.repairs.refuse(repeatedKeyMessage(key), path),
    });
    // Python's parentheses around one value are that value.
    if (isTuple && plan.kind === "array" && !Array.isArray(value)) return value === undefined ? undefined : [value];
    return typeof value === "string" ? this.readUnfenced(value, plan, path) : value;
  }
}

/** The object of a list with one, which is read as that object. */
function onlyObject(value: unknown): Record<string, unknown> | undefined {
  const [only, ...more] = Array.isArray(value) ? value : [];
  return isObject(only) && more.length === 0 ? only : undefined;
}

/** Whether one of an object's keys is declared, or nothing is. */
const declaresAny = (object: object, { properties }: Plan) =>
  properties.size === 0 || Object.keys(object).some((key) => properties.has(key));

const asText = (value: unknown) => (typeof value === "object" ? jsonOf(value) : String(value));

const plainly = (value: unknown) =>
  asText(value)
    .trim()
    .replace(/^(["'`])(.*)\1$/s, "$2")
    .toLowerCase()
    // A hyphen before or after a word may mean that it is left out.
    .replace(/(?<=[^\s_-])[\s_-]{1,64}(?=[^\s_-])/g, " ")
    .trim();
