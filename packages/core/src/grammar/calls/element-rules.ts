import { renderElement } from "../../bodies/elements.js";
import { isObject } from "../../common/plain-object.js";
import { RenderError } from "../../errors.js";
import { listedValues } from "../../schema/listed-values.js";
import { PLAIN_NAME } from "../../schema/names.js";
import { anyPlan, type Plan } from "../../schema/plan.js";
import { planOfTool } from "../../schema/tool-plan.js";
import type { ElementsBody, Slot } from "../../syntax/syntax.js";
import type { ToolDefinition } from "../../types.js";
import { jsonSpelling, type Spelling } from "../json-style.js";
import { choice, literal, repeat, sequence } from "../rules.js";
import type { Part } from "../schema/argument-shapes.js";
import type { SchemaRules } from "../schema/schema-rules.js";
import { type Forbidden, TEXT_START, word } from "../text/forbidden.js";
import {
  jsonStringsInMarkup,
  jsonStringsWithout,
  rawText,
  type StringNotation,
  xmlJsonStrings,
  xmlStrings,
} from "../text/string-notation.js";
import type { CallContext } from "./call-context.js";

const JSON_TYPES = ["number", "boolean", "null", "array", "object"];

/**
 * Rules for the arguments of a call that are elements. Text may contain anything that does not end it; `closers` are
 * the closing tags after the arguments.
 */
export function elementRules(
  body: ElementsBody,
  tool: ToolDefinition,
  closers: readonly string[],
  call: CallContext,
): string {
  const { properties } = planOfTool(tool);
  return call.arguments(call.compiler(jsonSpelling), (part) =>
    PLAIN_NAME.test(part.key)
      ? new Element(body, part, properties.get(part.key) ?? anyPlan, closers, call).rule()
      : undefined,
  );
}

/** Markup longer than this gets a rule. */
const LONG = 8;

/** Values that nest deeper are written as JSON. */
const MAX_NESTING = 6;

class Element {
  constructor(
    private readonly body: ElementsBody,
    private readonly part: Part,
    private readonly plan: Plan,
    private readonly closers: readonly string[],
    private readonly call: CallContext,
    private readonly depth = 0,
  ) {}

  private get texts(): SchemaRules {
    return this.compiler("text", () => this.textStrings());
  }

  private get values(): SchemaRules {
    return this.compiler("json", () => this.jsonStrings());
  }

  /** A compiler for one spelling of strings, shared by the arguments whose strings exclude the same characters. */
  private compiler(what: string, notation: () => StringNotation): SchemaRules {
    const { body, call, closers } = this;
    const isOwn = body.leaf === "markup" ? what === "text" : body.close.some((piece) => typeof piece !== "string");
    const depends = body.leaf === "xml" || body.leaf === "exact" || !isOwn ? "" : this.part.key;
    const watched = body.leaf === "markup" && what === "json" ? [] : closers;
    const key = JSON.stringify([what, body.leaf, body.open[0], body.close[0], depends, watched]);
    return call.compiler(call.rules.shared(key, (): Spelling => ({ ...jsonSpelling, strings: notation() })));
  }

  rule(): string | undefined {
    const { body, part, plan, closers } = this;
    if (body.leaf === "exact" && closers.includes(this.fill(body.close, ""))) return undefined;
    const listed = constantsOf(plan);
    if (listed) return this.constants(listed);
    const nested = body.structured === "nested" && this.depth < MAX_NESTING ? this.nested() : undefined;
    if (nested !== undefined) return this.element("", nested);
    const slots = body.open.flatMap((piece) => (typeof piece === "string" ? [] : [piece.slot]));
    const ways: (string | undefined)[] = [];
    if (slots.includes("type") || slots.includes("string")) {
      // A schema with only array or object keywords is read as that type, although it admits text as well.
      const structure = !plan.types && (plan.kind === "array" || plan.kind === "object") ? plan.kind : undefined;
      if (structure) this.values.narrowed(part, "type");
      if (!structure) ways.push(this.element("string", this.texts.part(part, ["string"])));
      const types = structure ? [structure] : JSON_TYPES;
      const groups = slots.includes("type") ? types.map((type) => [type]) : [types];
      for (const types of groups) ways.push(this.element(types[0]!, this.values.part(part, types)));
    } else ways.push(this.element("", (plan.onlyString ? this.texts : this.values).part(part)));
    const possible = ways.filter((way) => way !== undefined);
    return possible.length === 0 ? undefined : choice(possible);
  }

  /** An array as one element per item, an object as one element per key; empty ones and `null` as JSON. */
  private nested(): string | undefined {
    const { part, plan, call } = this;
    if (plan.kind !== "array" && plan.kind !== "object") return undefined;
    const content = plan.kind === "array" ? this.nestedItems() : this.nestedKeys();
    if (content === undefined) return undefined;
    const empty = plan.kind === "array" ? [] : {};
    const others = this.values.allowed(part, [empty, null]).map((value) => literal(JSON.stringify(value)));
    return content === "" ? choice(others) : call.rules.add(part.key, [content, ...others].join(" | "));
  }

  private nestedItems(): string | undefined {
    const shape = this.values.items(this.part);
    if (!shape) return undefined;
    const item = this.inner({ ...this.part, key: "item", schema: shape.item, required: true }, this.plan.items);
    return item === undefined ? "" : repeat(item, Math.max(1, shape.min), shape.max);
  }

  private nestedKeys(): string | undefined {
    const { part, plan, call } = this;
    const shapes = this.values.shapes(part) ?? [];
    if (shapes.length === 0 || shapes.some(({ parts }) => parts.some(({ key }) => !PLAIN_NAME.test(key))))
      return undefined;
    const write = (inner: Part) => this.inner(inner, plan.properties.get(inner.key) ?? anyPlan);
    const frame = { comma: "", hint: part.key };
    const lists = shapes.flatMap((shape) => {
      const some = { ...shape, min: Math.max(1, shape.min ?? 0) };
      return call.list(some, this.values, write, frame) ?? [];
    });
    return lists.length === 0 ? "" : choice(lists);
  }

  private inner(part: Part, plan: Plan): string | undefined {
    return new Element(this.body, part, plan, this.closers, this.call, this.depth + 1).rule();
  }

  private element(type: string, content: string | undefined): string | undefined {
    if (content === undefined) return undefined;
    const { open, close } = this.body;
    const end =
      close.length === 1 ? this.call.rules.add("close", literal(this.fill(close, type))) : this.text(close, type);
    return sequence(this.text(open, type), content, end);
  }

  /** Markup as literals. Long markup that other arguments share gets a rule. */
  private text(parts: readonly (string | Slot)[], type: string): string {
    const at = parts.findIndex((part) => typeof part !== "string" && part.slot === "key");
    const [before, after] = [this.fill(parts.slice(0, at), type), this.fill(parts.slice(at + 1), type)];
    const [isBefore, isAfter] = [before.length > LONG, after.length > LONG];
    const shared = (hint: string, text: string) => this.call.rules.add(hint, literal(text));
    return sequence(
      isBefore ? shared("open", before) : "",
      literal((isBefore ? "" : before) + this.part.key + (isAfter ? "" : after)),
      isAfter ? shared(type.slice(0, 3) || "open", after) : "",
    );
  }

  private fill(parts: readonly (string | Slot)[], type: string): string {
    const values: Partial<Record<Slot["slot"], string>> = {
      key: this.part.key,
      type,
      string: String(type === "string"),
    };
    return parts.map((part) => (typeof part === "string" ? part : (values[part.slot] ?? ""))).join("");
  }

  /** Listed values as they are rendered. Values that cannot be rendered are left out, and noted as narrowed. */
  private constants(values: readonly unknown[]): string | undefined {
    const { body, part, plan } = this;
    const keyword = isObject(plan.schema) && "const" in plan.schema ? "const" : "enum";
    const byOpening = new Map<string, { type: string; contents: string[] }>();
    for (const value of this.values.allowed(part, values)) {
      const written = this.rendered(value);
      const type = ["string", ...JSON_TYPES].find((one) => written?.startsWith(this.fill(body.open, one)));
      if (written === undefined || type === undefined) {
        this.values.narrowed(part, keyword);
        continue;
      }
      const [open, close] = [this.fill(body.open, type), this.fill(body.close, type)];
      const group = byOpening.get(open) ?? { type, contents: [] };
      const anyOrder = hasOrder(value) ? this.values.constant(part, value, keyword) : undefined;
      group.contents.push(anyOrder ?? literal(written.slice(open.length, -close.length)));
      byOpening.set(open, group);
    }
    const written = [...byOpening.values()].map(({ type, contents }) => this.element(type, choice(contents))!);
    return written.length === 0 ? undefined : choice(written);
  }

  private rendered(value: unknown): string | undefined {
    const { body, part, plan, closers } = this;
    try {
      return renderElement(body, part.key, value, plan, closers);
    } catch (error) {
      if (error instanceof RenderError) return undefined;
      throw error;
    }
  }

  private textStrings(): StringNotation {
    const { body } = this;
    if (body.leaf === "xml") return xmlStrings("");
    if (body.leaf === "exact") return rawText(this.closers.map(word));
    return rawText(body.leaf === "text" ? [...this.closing().map(word), ...this.openings()] : this.tags());
  }

  private jsonStrings(): StringNotation {
    const { body } = this;
    if (body.leaf === "xml") return xmlJsonStrings;
    if (body.leaf === "exact") return jsonStringsWithout(this.closers);
    if (body.leaf === "text") return jsonStringsWithout(this.closing());
    return jsonStringsInMarkup;
  }

  private closing(): string[] {
    return [...new Set([this.fill(this.body.close, "").trim(), ...this.closers])];
  }

  /**
   * A line that begins like another argument would be read as one, and a text that begins with its own tag as one whose
   * tag is doubled. Tags with any name are excluded, so that all texts share their rules: excluding only the parameters'
   * names takes five times the space.
   */
  private openings(): Forbidden[] {
    const [open = "", ...more] = this.body.open.map((piece) => (typeof piece === "string" ? piece.trim() : ""));
    const last = more.findLast((piece) => piece.includes("<")) ?? open;
    const own = last.slice(last.lastIndexOf("<"));
    return [
      [{ chars: "\n" }, { chars: " \t\v\f", many: true }, ...word(open)],
      [...TEXT_START, ...word(own)],
    ];
  }

  /** Tags with the name of the argument or of the call, in any case: the parser would read them as the end. */
  private tags(): Forbidden[] {
    const names = new Set(
      [this.part.key, ...this.closers.map((closer) => closer.slice(2, -1))].map((name) => name.toLowerCase()),
    );
    return [...names].map((name) => [
      { chars: "<" },
      { chars: " \t\r\n/", many: true },
      ...[...name].map((char) => ({ chars: char === char.toUpperCase() ? char : char + char.toUpperCase() })),
      { name: false },
    ]);
  }
}

/** Whether a value contains an object with several keys, which may come in another order. */
function hasOrder(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const parts: unknown[] = Object.values(value);
  return (!Array.isArray(value) && parts.length > 1) || parts.some(hasOrder);
}

const constantsOf = ({ schema }: Plan): readonly unknown[] | undefined =>
  isObject(schema) ? listedValues(schema) : undefined;
