import { checkArgument } from "../check-argument.js";
import { clip } from "../common/clip.js";
import { oncePer } from "../common/once-per.js";
import { isObject } from "../common/plain-object.js";
import type { ToolDefinition } from "../types.js";
import { ToolDefinitionError } from "./errors.js";
import { join, printJson } from "./json.js";

/**
 * The maximum size of a schema. Plain lists (`enum`, `required`, `$defs`) have no limit; parts that are compared with
 * each other, or that recursion visits, have one.
 */
export const LIMITS = {
  /** Nesting of objects and arrays. An object within an object takes two levels: itself and `properties`. */
  depth: 200,
  /** Keys of one `properties`. */
  properties: 2_000,
  /** Characters of a key under `properties`: a grammar distinguishes keys character by character. */
  key: 1_000,
  /** Keys of one `patternProperties`. */
  patternProperties: 100,
  /** Schemas under one `allOf`, `dependentSchemas` or `dependentRequired`. */
  allOf: 256,
  /** Schemas under one `anyOf`, `oneOf` or `prefixItems`. */
  alternatives: 1_000,
  /**
   * Schemas under `allOf`, `anyOf`, `oneOf` and `prefixItems` in total; a part that occurs in several places counts in
   * each.
   */
  branches: 20_000,
  /** Values in total, as JSON would write them: a part that occurs in several places counts in each. */
  values: 2_000_000,
} as const;

/** A violation of {@link LIMITS}: its place, as a JSON pointer, and what is exceeded. */
export interface Excess {
  path: string;
  message: string;
}

/**
 * The first violation of {@link LIMITS} in a schema; undefined if there is none. Objects that contain themselves are
 * visited once. Uses no recursion, and takes time linear in the schema; the result is cached by object.
 *
 * @example excessOf({ properties: { a: { allOf: Array(300).fill({}) } } });
 * // { path: "/properties/a/allOf", message: "has 300 entries; at most 256 are allowed" }
 */
export function excessOf(schema: unknown): Excess | undefined {
  return typeof schema === "object" && schema !== null ? find(schema) : undefined;
}

const ENTRIES: ReadonlyMap<string, number> = new Map([
  ["properties", LIMITS.properties],
  ["patternProperties", LIMITS.patternProperties],
  ["allOf", LIMITS.allOf],
  ["dependentSchemas", LIMITS.allOf],
  ["dependentRequired", LIMITS.allOf],
  ["anyOf", LIMITS.alternatives],
  ["oneOf", LIMITS.alternatives],
  ["prefixItems", LIMITS.alternatives],
]);

const BRANCHES: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);

/** The height, size and number of branches of a part of a schema. */
interface Measure {
  /** Levels of objects and arrays, including the part itself. */
  height: number;
  /** The number of values. */
  size: number;
  branches: number;
}

/** A part that is being visited, with its measure so far. */
interface Open extends Measure {
  value: object;
  path: string;
  keys: readonly string[];
  next: number;
}

const find = oncePer((schema: object): Excess | undefined => new Visit(schema).excess());

/** A visit of all parts of a schema, each once, without recursion. */
class Visit {
  private readonly measured = new Map<object, Measure>();
  private readonly inside = new Set<object>();
  /** The part that is being visited, and those around it. */
  private readonly stack: Open[] = [];

  constructor(schema: object) {
    this.open(schema, "", 0);
  }

  /** What exceeds a limit, if anything. */
  excess(): Excess | undefined {
    for (let top = this.stack.at(-1); top; top = this.stack.at(-1)) {
      const found = this.step(top) ?? this.excessOf(this.stack.at(-1));
      if (found) return found;
    }
    return undefined;
  }

  /** Visits the next value of a part, or ends it. Returns what exceeds a limit in that value. */
  private step(top: Open): Excess | undefined {
    const key = top.keys[top.next++];
    if (key === undefined) return this.close(top);
    const below = (top.value as Record<string, unknown>)[key];
    if (typeof below !== "object" || below === null) {
      top.size++;
      return undefined;
    }
    const done = this.measured.get(below);
    if (done) add(top, done);
    if (done || this.inside.has(below)) return undefined;
    const path = join(top.path, key);
    const excess = excessIn(below, key, isObject(top.value));
    if (excess !== undefined) return { path, message: excess };
    if (this.stack.length >= LIMITS.depth) return { path, message: tooDeep };
    this.open(below, path, BRANCHES.has(key) && Array.isArray(below) ? below.length : 0);
    return undefined;
  }

  private open(value: object, path: string, branches: number): void {
    this.inside.add(value);
    this.stack.push({ value, path, keys: Object.keys(value), next: 0, height: 1, size: 1, branches });
  }

  private close({ value, height, size, branches }: Open): undefined {
    this.stack.pop();
    this.inside.delete(value);
    this.measured.set(value, { height, size, branches });
    const parent = this.stack.at(-1);
    if (parent) add(parent, { height, size, branches });
  }

  /** What exceeds a limit in the parts of a schema so far. */
  private excessOf(part: Open | undefined): Excess | undefined {
    if (part === undefined) return undefined;
    const { path, height, size, branches } = part;
    if (this.stack.length + height - 1 > LIMITS.depth) return { path, message: tooDeep };
    if (branches > LIMITS.branches) return { path, message: `has more than ${LIMITS.branches} branches in all` };
    if (size > LIMITS.values)
      return { path, message: `holds more than ${LIMITS.values} values, as JSON would write it` };
    return undefined;
  }
}

/** What exceeds a limit in the entries of a keyword. */
function excessIn(entries: object, keyword: string, isKeyword: boolean): string | undefined {
  const most = ENTRIES.get(keyword);
  if (most === undefined) return undefined;
  const keys = Object.keys(entries);
  if (isKeyword && keys.length > most) return `has ${keys.length} entries; at most ${most} are allowed`;
  const isLong = keyword === "properties" && keys.some(({ length }) => length > LIMITS.key);
  return isLong ? `has a key of more than ${LIMITS.key} characters` : undefined;
}

const tooDeep = `is nested deeper than ${LIMITS.depth} levels of objects and arrays`;

function add(parent: Open, { height, size, branches }: Measure): void {
  parent.height = Math.max(parent.height, height + 1);
  parent.size += size;
  parent.branches += branches;
}

/**
 * Runs `make` for tools. The error names the tool if its parameters exceed {@link LIMITS}, or if its references exceed
 * the stack.
 *
 * Errors: {@link ToolDefinitionError} `limit`.
 */
export function withinLimits<T, Tool extends ToolDefinition>(
  tools: readonly Tool[],
  make: (tools: readonly Tool[]) => T,
): T {
  checkArgument("tools", "list", tools);
  for (const [i, tool] of tools.entries()) {
    checkArgument(`tools[${i}]`, "object", tool);
    checkLimits(tool);
  }
  try {
    return make(tools);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const tool = tools.find((one) => exhausts(() => make([one]))) ?? tools[0];
    throw tooDeepTool(tool?.name ?? "", error);
  }
}

/** Throws {@link ToolDefinitionError} `limit` if a tool's parameters exceed {@link LIMITS}. */
export function checkLimits({ name, parameters }: { name: string; parameters?: unknown }): void {
  const excess = excessOf(parameters);
  if (!excess) return;
  const message = `The parameters of tool ${named(name)} are too large: ${placeOf(excess)} ${excess.message}.`;
  throw new ToolDefinitionError("limit", name, message);
}

/** The place of a violation in words: `"/properties/a"`, cut if it is long. */
export const placeOf = ({ path }: Excess): string => (path === "" ? "the schema" : named(path));

const named = (text: string) => printJson(clip(text, 120));

/** The error for a tool whose references exceed the stack. */
export function tooDeepTool(name: string, cause?: RangeError): ToolDefinitionError {
  const message = `The parameters of tool ${named(name)} are too large: their references are too deep, or expand to too much.`;
  return new ToolDefinitionError("limit", name, message, { cause });
}

function exhausts(make: () => unknown): boolean {
  try {
    make();
    return false;
  } catch (error) {
    return error instanceof RangeError;
  }
}
