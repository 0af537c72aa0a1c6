import { clip } from "../common/clip.js";
import { isObject } from "../common/plain-object.js";
import type { JsonSchema } from "../types.js";
import type { CompiledSchema } from "./compile.js";
import { describeIssues } from "./describe-issues.js";
import { type JsonObject, join, stepsOf } from "./json.js";
import { isBeyondLimits, SchemaMatcher, unevaluatedItems, unevaluatedKeys } from "./schema-matcher.js";
import type { ValidationIssue } from "./validation-issue.js";
import { describeJson, describeSchema, list, quote } from "./words.js";

/**
 * Finds the issues of a value that is known not to match: follows only the schemas that apply to the value, and decides
 * which branch of a union was meant. Returns at least one issue.
 */
export function findIssues(value: unknown, compiled: CompiledSchema): ValidationIssue[] {
  let issues: ValidationIssue[] = [];
  try {
    issues = new Walk(compiled).visit(compiled.root, value, "");
  } catch (error) {
    if (!isBeyondLimits(error)) throw error;
  }
  if (issues.length > 0) return distinct(issues);
  const message = `does not match: expected ${describeSchema(compiled.root, compiled.resolve)}`;
  return [{ path: "", keyword: "schema", message }];
}

/** The maximum number of nodes to visit: nested unions could otherwise take exponential time. */
const BUDGET = 10_000;

class Walk {
  private budget = BUDGET;
  private readonly run: SchemaMatcher;
  /** The words for each value and schema: unions and lists ask for the same ones again and again. */
  private readonly values = new Map<unknown, string>();
  private readonly schemas = new Map<unknown, string>();

  constructor(private readonly compiled: CompiledSchema) {
    this.run = new SchemaMatcher(compiled.resolve);
  }

  visit(node: JsonSchema, value: unknown, path: string): ValidationIssue[] {
    if (--this.budget < 0) throw new RangeError("too many branches");
    if (node === true) return [];
    if (node === false) return [{ path, keyword: "false", message: "is not allowed here" }];
    if (typeof node.$ref === "string") return this.visit(this.compiled.resolve(node.$ref), value, path);
    const own = this.assert(node, value, path);
    if (own.some((issue) => issue.keyword === "type")) return own;
    return [
      ...own,
      ...schemas(node.allOf).flatMap((part) => this.visit(part, value, path)),
      ...this.union("anyOf", node, value, path),
      ...this.union("oneOf", node, value, path),
      ...this.conditions(node, value, path),
      ...(isObject(value) ? this.object(node, value, path) : []),
      ...(Array.isArray(value) ? this.array(node, value, path) : []),
    ];
  }

  private issue(keyword: string, node: JsonSchema, value: unknown, path: string): ValidationIssue {
    const expected = this.describe(node);
    return {
      path,
      keyword,
      message: `expected ${expected}, got ${once(this.values, value, describeJson)}`,
      expected,
      ...this.given(node),
    };
  }

  private describe(node: unknown): string {
    return once(this.schemas, node, () => describeSchema(node, this.compiled.resolve));
  }

  private given(node: unknown): { schema?: unknown } {
    const origin = this.compiled.origin(node);
    return origin ? { schema: origin.schema } : {};
  }

  private assert(node: JsonObject, value: unknown, path: string): ValidationIssue[] {
    const keywords = this.run.broken(node, value);
    // A wrong type, or a value that is not listed, makes other issues irrelevant.
    const first = keywords.find((keyword) => ["type", "enum", "const"].includes(keyword)) ?? keywords[0];
    return first === undefined ? [] : [this.issue(first, node, value, path)];
  }

  private conditions(node: JsonObject, value: unknown, path: string): ValidationIssue[] {
    const issues: ValidationIssue[] = [];
    if (node.not !== undefined && this.run.matches(node.not as JsonSchema, value))
      issues.push({ path, keyword: "not", message: "is what the schema says it must not be", ...this.given(node) });
    if (node.if !== undefined) {
      const applied = this.run.matches(node.if as JsonSchema, value) ? node.then : node.else;
      if (applied !== undefined) issues.push(...this.visit(applied as JsonSchema, value, path));
    }
    if (!isObject(value)) return issues;
    for (const [key, part] of Object.entries((node.dependentSchemas as JsonObject | undefined) ?? {}))
      if (Object.hasOwn(value, key)) issues.push(...this.visit(part as JsonSchema, value, path));
    return issues;
  }

  private object(node: JsonObject, value: JsonObject, path: string): ValidationIssue[] {
    const properties = isObject(node.properties) ? node.properties : {};
    const patterns = isObject(node.patternProperties) ? Object.entries(node.patternProperties) : [];
    const issues = this.missing(node, properties, value, path);
    for (const [key, item] of Object.entries(value)) {
      if (issues.length >= MAX_ISSUES) return issues;
      const at = join(path, key);
      const declared = Object.hasOwn(properties, key) ? [properties[key]] : [];
      for (const [pattern, part] of patterns) if (this.run.matchesPattern(pattern, key)) declared.push(part);
      for (const part of declared) issues.push(...this.visit(part as JsonSchema, item, at));
      if (declared.length > 0) continue;
      if (node.additionalProperties === false) issues.push(this.unknownKey(node, [node], at));
      else if (node.additionalProperties !== undefined) {
        issues.push(...this.visit(node.additionalProperties as JsonSchema, item, at));
      }
    }
    if (node.propertyNames !== undefined) {
      for (const key of Object.keys(value)) {
        for (const issue of this.visit(node.propertyNames as JsonSchema, key, join(path, key))) {
          issues.push({ ...issue, keyword: "propertyNames", message: `as a key: ${issue.message}` });
        }
      }
    }
    if (node.unevaluatedProperties !== undefined) {
      for (const key of unevaluatedKeys(node, value, this.run)) {
        const at = join(path, key);
        const parts = [node, ...schemas(node.allOf)];
        if (node.unevaluatedProperties === false) issues.push(this.unknownKey(node, parts, at));
        else issues.push(...this.visit(node.unevaluatedProperties as JsonSchema, value[key], at));
      }
    }
    return issues;
  }

  private missing(node: JsonObject, properties: JsonObject, value: JsonObject, path: string): ValidationIssue[] {
    const required: [keyword: string, key: string][] = strings(node.required).map((key) => ["required", key]);
    for (const [key, keys] of Object.entries((node.dependentRequired as JsonObject) ?? {})) {
      if (Object.hasOwn(value, key)) for (const k of strings(keys)) required.push(["dependentRequired", k]);
    }
    return required
      .filter(([, key]) => !Object.hasOwn(value, key))
      .map(([keyword, key]) => {
        const part = Object.hasOwn(properties, key) ? properties[key] : undefined;
        const expected = this.describe(part);
        return {
          path: join(path, key),
          keyword,
          message: `is missing; expected ${expected}`,
          expected,
          ...this.given(part),
        };
      });
  }

  /** `parts`: the schemas that declare keys. */
  private unknownKey(node: JsonObject, parts: readonly JsonSchema[], path: string): ValidationIssue {
    const known = parts.flatMap((part) => {
      const { $ref, properties } = Object(part);
      return Object.keys(
        Object(typeof $ref === "string" ? Object(this.compiled.resolve($ref)).properties : properties),
      );
    });
    const expected = known.length === 0 ? "no keys" : list(known, ", ", 12, quote);
    const message = `is not a known key${known.length === 0 ? "" : `; known are ${expected}`}`;
    return { path, keyword: "additionalProperties", message, expected, ...this.given(node) };
  }

  private array(node: JsonObject, value: unknown[], path: string): ValidationIssue[] {
    const prefix = schemas(node.prefixItems);
    const issues: ValidationIssue[] = [];
    const item = (part: JsonSchema, i: number, most: number) => {
      // In a long list, only the items that do not match are visited.
      if (this.run.matches(part, value[i])) return;
      if (part !== false) issues.push(...this.visit(part, value[i], join(path, i)));
      else {
        const message = `is one item too many; expected at most ${most}`;
        issues.push({ path: join(path, i), keyword: "items", message, ...this.given(node) });
      }
    };
    for (let i = 0; i < value.length && issues.length < MAX_ISSUES; i++) {
      const part = (i < prefix.length ? prefix[i] : node.items) as JsonSchema | undefined;
      if (part !== undefined) item(part, i, prefix.length);
    }
    if (node.unevaluatedItems !== undefined) {
      const rest = unevaluatedItems(node, value, this.run);
      for (const i of rest.slice(0, MAX_ISSUES))
        item(node.unevaluatedItems as JsonSchema, i, value.length - rest.length);
    }
    return [...issues, ...this.contained(node, value, path)];
  }

  private contained(node: JsonObject, value: unknown[], path: string): ValidationIssue[] {
    if (node.contains === undefined) return [];
    const count = value.filter((item) => this.run.matches(node.contains as JsonSchema, item)).length;
    const [least, most] = [Number(node.minContains ?? 1), Number(node.maxContains ?? Number.POSITIVE_INFINITY)];
    if (count >= least && count <= most) return [];
    const wanted = `items that are ${this.describe(node.contains)}`;
    const expected = count < least ? `at least ${least} ${wanted}` : `at most ${most} ${wanted}`;
    const keyword =
      count < least && node.minContains === undefined ? "contains" : count < least ? "minContains" : "maxContains";
    return [{ path, keyword, message: `has ${count}; expected ${expected}`, expected, ...this.given(node) }];
  }

  private union(keyword: "anyOf" | "oneOf", node: JsonObject, value: unknown, path: string): ValidationIssue[] {
    const branches = schemas(node[keyword]);
    if (branches.length === 0) return [];
    const tried = branches.map((branch) => this.visit(branch, value, path));
    const matching = tried.filter((issues) => issues.length === 0).length;
    if (matching > 1 && keyword === "oneOf") {
      const message = `matches ${matching} of the alternatives; exactly one is allowed`;
      return [{ path, keyword, message, ...this.given(node) }];
    }
    if (matching > 0) return [];
    // The branches for values of this kind; if there is none, an issue for all of them.
    const meant = tried.filter((issues) => !issues.some((issue) => issue.path === path && kinds.has(issue.keyword)));
    if (meant.length === 0)
      return [this.issue(keyword, { [keyword]: branches }, value, path)].map((issue) => ({
        ...issue,
        ...this.given(node),
      }));
    // If every branch requires another value of the same key (a tag such as `kind`), the issue is that value.
    const tags = meant.map((issues) => issues.filter((issue) => isTag(issue, path)));
    return this.nearest(meant.length > 1 && tags.every(({ length }) => length > 0) ? tags : meant, node, path);
  }

  /** The issues of the branch that is nearest; of several that are equally near, what each of them expects. */
  private nearest(branches: readonly ValidationIssue[][], node: JsonObject, path: string): ValidationIssue[] {
    const least = Math.min(...branches.map((issues) => mismatches(issues, path)));
    const near = branches.filter((issues) => mismatches(issues, path) === least);
    const [first = []] = near;
    if (near.every((issues) => issues.every((issue, i) => issue.path === first[i]?.path)))
      return first.map((_, i) => either(near.map((issues) => issues[i]!)));
    const message = `matches no alternative: ${oneOf(near.map((issues) => describeIssues(issues, " and ")))}`;
    return [{ path, keyword: "schema", message, ...this.given(node) }];
  }
}

/** The issue of a value for which each branch has one: what all of them expect. */
function either(issues: readonly ValidationIssue[]): ValidationIssue {
  const [first] = issues as [ValidationIssue];
  if (issues.length === 1) return first;
  const keywords = new Set(issues.map(({ keyword }) => (keyword === "const" ? "enum" : keyword)));
  const [keyword = ""] = keywords;
  const said = ({ expected, message }: ValidationIssue) => (keywords.size === 1 && expected) || message;
  const expected = oneOf(issues.map(said));
  const anyOf = [...new Set(issues.flatMap(({ schema }) => schema ?? []))];
  return {
    ...first,
    keyword,
    expected,
    message: first.message.replace(said(first), () => expected),
    schema: { anyOf },
  };
}

/** Some of the words, and no more than a message shows. */
const oneOf = (words: readonly string[]) => clip(list([...new Set(words)], " or ", 12), 400);

function once<T>(known: Map<T, string>, key: T, describe: (key: T) => string): string {
  const words = known.get(key) ?? describe(key);
  known.set(key, words);
  return words;
}

/** The maximum number of issues: more are of no use. */
const MAX_ISSUES = 1_000;

/** Keywords whose violation means that a branch is for another kind of value. */
const kinds = new Set(["type", "enum", "const", "false", "anyOf"]);

const isTag = (issue: ValidationIssue, path: string) =>
  (issue.keyword === "const" || issue.keyword === "enum") && stepsOf(issue.path).length === stepsOf(path).length + 1;

/** How badly a branch matches: a wrong tag weighs more than any number of other issues. */
const mismatches = (issues: ValidationIssue[], path: string) =>
  issues.length + (issues.some((issue) => isTag(issue, path)) ? 1_000_000 : 0);

const schemas = (value: unknown) => (Array.isArray(value) ? (value as JsonSchema[]) : []);
const strings = (value: unknown) => (Array.isArray(value) ? (value as string[]) : []);

function distinct(issues: ValidationIssue[]): ValidationIssue[] {
  const seen = new Set<string>();
  return issues.filter((issue) => {
    const key = `${issue.path}\n${issue.message}`;
    return !seen.has(key) && seen.add(key);
  });
}
