import { isObject } from "../../common/plain-object.js";
import { withoutSpace } from "../../notation/json/whole-json.js";
import { keepsDigits, mayBeRounded, unreadNumber } from "../../notation/numbers.js";
import { assign } from "../../notation/own-property.js";
import { RepeatedKeys, repeatedKeyMessage } from "../../notation/repeated-keys.js";
import { TextBuffer } from "../../notation/text-buffer.js";
import {
  type Composite,
  type KnownKeys,
  ValueBuilder,
  type ValueSink,
  type WholeValue,
} from "../../notation/value-sink.js";
import { type Aliases, noAliases } from "../../schema/aliases.js";
import { join } from "../../schema/json.js";
import { anyPlan, declares, needsTexts, type Plan, property, takesString } from "../../schema/plan.js";
import { quicklyMatchesAsIs } from "../../schema/quickly-matches.js";
import { coerce, isAbsent } from "./coerce.js";
import { matchesAsIs } from "./matches-as-is.js";
import { isOther } from "./parts.js";
import type { Repairs } from "./repairs.js";
import { dropKey, refuseUnknown } from "./unknown-keys.js";
import { isBeside, mayWrap, partlyWrapped, refuseOthers, wrappedArguments } from "./wrapped.js";

interface Frame {
  plan: Plan;
  container: Record<string, unknown> | unknown[];
  /** The key of the next value, with its plan. */
  key: string;
  /** The key as JSON spells it. */
  json: string;
  next: Plan;
  empty: boolean;
}

/** A number in JSON notation that `JSON.stringify` keeps unchanged. */
const NUMBER = /^(?:[1-9]\d*|0(?=\.)|-[1-9]\d*)(?:\.\d+)?$/;

/** The characters that JSON may escape in a string: control characters, `"`, `\` and surrogates. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/**
 * What a buffered value is: the value of its key; a value that may contain `some` or `all` arguments, because the tool lacks
 * its key; or all arguments, from their first bracket.
 */
type Content = "value" | "some" | "all" | "arguments";

interface EmitterOptions {
  /** Aliases of the arguments. */
  aliases: Aliases;
  /** Whether to write the text as well as the value. */
  writesText: boolean;
  /** The tool's name. */
  tool: string;
}

/**
 * Turns a reader's calls into the arguments and their text at once: each step writes both, so the deltas always parse
 * to exactly the arguments. The schema decides at each place whether a value is emitted as it arrives, or buffered
 * until it is complete and then coerced.
 */
export class Emitter implements ValueSink, KnownKeys {
  /** The arguments; complete when the outermost value is. */
  value: unknown;
  private readonly delta = new TextBuffer();
  private readonly frames: Frame[] = [];
  /** The value that is buffered, and its plan; `false`: the schema forbids its key. */
  private buffered: { builder: ValueBuilder; plan: Plan | false; content: Content } | undefined;
  /** Whether arguments lay within a value beside others. */
  private wasWrapped = false;
  /** The first argument that was dropped because the schema forbids it. */
  private dropped: string | undefined;
  /** Set between a string's begin and end when it streams. */
  private streamed: TextBuffer | undefined;
  private started = false;
  private repeated: RepeatedKeys | undefined;

  constructor(
    private readonly root: Plan,
    private readonly repairs: Repairs,
    private readonly options: EmitterOptions,
  ) {}

  /** Returns the arguments' text since the last call. */
  takeDelta(): string {
    return this.delta.take();
  }

  private add(text: string): void {
    if (this.options.writesText) this.delta.push(text);
  }

  /** Whether nothing was received yet. */
  get isEmpty(): boolean {
    return !this.started && this.buffered === undefined;
  }

  /** A JSON pointer to the place being written. */
  get path(): string {
    return this.frames.map((frame, i) => step(frame, i === this.frames.length - 1)).join("");
  }

  expects(key: string): boolean | undefined {
    // A string that is buffered is a value of the open object.
    if (this.buffered && !(this.buffered.plan && this.buffered.builder.isComplete)) return undefined;
    const plan = this.frames.at(-1)?.plan;
    if (plan?.kind !== "object" || plan.properties.size === 0) return undefined;
    return declares(plan, this.meant(key));
  }

  get needsTexts(): boolean {
    return !this.buffered && needsTexts(this.plan);
  }

  get needsObject(): boolean {
    return !this.buffered && this.plan.kind === "object";
  }

  declares(key: string): boolean {
    const inArguments = this.root.properties.has(this.options.aliases.long(key));
    return inArguments || this.frames.some(({ plan }) => plan.properties.has(key));
  }

  /** The key itself or, for an alias of an argument, the argument's name. */
  private meant(key: string): string {
    return this.frames.length === 1 ? this.options.aliases.long(key) : key;
  }

  private get plan(): Plan {
    const top = this.frames.at(-1);
    if (!top) return this.root;
    return Array.isArray(top.container) ? (top.plan.prefix[top.container.length] ?? top.plan.items) : top.next;
  }

  /** Writes the text before a value: a comma and, in an object, the key. */
  private lead(): void {
    this.started = true;
    const top = this.frames.at(-1);
    if (!top) return;
    if (!top.empty) this.add(",");
    top.empty = false;
    if (Array.isArray(top.container)) return;
    this.add(top.json);
    this.add(":");
  }

  private put(value: unknown): void {
    const top = this.frames.at(-1);
    if (!top) this.value = value;
    else if (Array.isArray(top.container)) top.container.push(value);
    else {
      const { container, key } = top;
      if (Object.hasOwn(container, key)) this.repeats(container[key]);
      assign(container, key, value);
    }
  }

  /** Notes a key that already has a value. */
  private repeats(value: unknown): void {
    const { container, key } = this.frames.at(-1)!;
    this.repeated ??= new RepeatedKeys();
    this.repeated.add(container as Record<string, unknown>, key, value, this.path);
  }

  /**
   * Reports keys with two values, objects whose keys were all dropped, and what the tool lacks beside wrapped arguments,
   * now that the arguments are complete.
   */
  check(): void {
    const found = this.repeated?.contradiction;
    if (found) this.repairs.refuse(repeatedKeyMessage(found.key), found.path);
    const { value, dropped } = this;
    if (this.wasWrapped)
      refuseOthers(dropped === undefined ? Object.keys(Object(value)) : [dropped], this.root, this.repairs);
    refuseUnknown(this.value, this.root, this.repairs);
  }

  private buffer(plan: Plan | false, content: Content = "value"): ValueBuilder {
    this.buffered = { builder: new ValueBuilder(), plan, content };
    return this.buffered.builder;
  }

  /** Runs after each step of a buffered value, and emits the value when it is complete. */
  private settle(): void {
    const { buffered } = this;
    if (!buffered?.builder.isComplete) return;
    this.buffered = undefined;
    const { builder, plan, content } = buffered;
    if (content === "arguments") return this.completeAll(builder);
    const top = this.frames.at(-1);
    if ((content === "some" || content === "all") && top) {
      if (content === "all" && this.mayHoldAll(top.key, builder.value)) return this.bufferAll(top.key, builder);
      const part = partlyWrapped(top.key, builder.value, this.root);
      if (part) return this.completePart(part, builder);
    }
    if (!plan && top && this.frames.length === 1) this.dropped ??= top.key;
    if (!plan && top) dropKey(builder.value, top.plan, this.path, this.repairs);
    else this.completeBuilt(builder, plan || anyPlan);
  }

  /** Refuses a value in which a key has two values. */
  private refuseRepeated(key: string | undefined): void {
    if (key !== undefined) this.repairs.refuse(repeatedKeyMessage(key), this.path);
  }

  /** Whether all arguments may lie within the first value, or after it. */
  private mayHoldAll(key: string, value: unknown): boolean {
    return (
      isObject(value) ||
      isBeside(key, value, this.options.tool) ||
      (typeof value === "string" && mayWrap(key, this.root))
    );
  }

  /** Writes arguments that lie within a value beside others. */
  private completePart(part: Record<string, unknown>, { repeatedKey, unkept }: ValueBuilder): void {
    this.refuseRepeated(repeatedKey);
    this.repairs.add("partly-wrapped", "");
    const entries = Object.entries(part);
    this.wasWrapped ||= entries.length > 0;
    for (const [key, value] of entries) {
      this.key(key);
      this.complete(value, this.plan, undefined, unkept);
    }
  }

  /** Buffers all arguments, because they may lie within their first value or after it. */
  private bufferAll(key: string, { repeatedKey, value, unkept }: ValueBuilder): void {
    this.refuseRepeated(repeatedKey);
    const builder = this.buffer(this.root, "arguments");
    builder.unkept = unkept;
    builder.begin("object");
    builder.key(key);
    builder.write(value);
  }

  /** The arguments inside a complete value, see {@link wrappedArguments}. */
  unwrapped(value: unknown): Record<string, unknown> | undefined {
    return wrappedArguments(value, this.root, this.options.tool);
  }

  /** Writes arguments that were buffered after their first bracket. */
  private completeAll({ repeatedKey, value, unkept }: ValueBuilder): void {
    this.frames.pop();
    this.refuseRepeated(repeatedKey);
    this.value = this.coerced(value, this.root, undefined, unkept);
    if (this.options.writesText) this.add(JSON.stringify(this.value).slice(1));
  }

  /** Writes arguments that were buffered, or that came before the call's name. */
  private completeBuilt({ repeatedKey, value, source, unkept }: ValueBuilder, plan: Plan): void {
    this.refuseRepeated(repeatedKey);
    this.complete(value, plan, source, unkept);
  }

  /** Writes a complete value, coerced to the schema at its place. */
  private complete(value: unknown, plan: Plan, source?: string, unkept?: Set<string>): void {
    if (typeof value === "number" && source !== undefined && !keepsDigits(value, source)) {
      if (takesString(plan) || !mayBeRounded(source) || plan.types?.includes("integer"))
        return this.completeDigits(source, plan);
      this.repairs.add("rounded-number", this.path);
    }
    const isEmpty = value === null || value === "" || (Array.isArray(value) && value.length === 0);
    const missing = this.frames.length === 0 && isEmpty;
    const top = this.frames.at(-1);
    if (top && !Array.isArray(top.container) && isAbsent(value, top.plan, { key: top.key, plan })) {
      this.repairs.add("dropped-null", this.path);
      this.repeats(value);
      return;
    }
    const coerced = missing ? {} : this.coerced(value, plan, source, unkept);
    this.lead();
    const keepsSpelling =
      coerced === value && source !== undefined && (typeof value === "string" || NUMBER.test(source));
    if (this.options.writesText) this.add(keepsSpelling ? source : JSON.stringify(coerced));
    this.put(coerced);
  }

  /** Writes the digits of a number that JavaScript cannot represent: as a string, where the schema allows one. */
  private completeDigits(digits: string, plan: Plan): void {
    const coerced = this.coerced(digits, plan);
    if (takesString(plan)) this.repairs.add("to-string", this.path);
    else this.repairs.refuse(unreadNumber(digits), this.path);
    this.lead();
    if (this.options.writesText) this.add(JSON.stringify(coerced));
    this.put(coerced);
  }

  private coerced(value: unknown, plan: Plan, source?: string, unkept?: Set<string>): unknown {
    if (Array.isArray(this.frames.at(-1)?.container) && isOther(value, plan)) return value;
    const isInside = this.frames.length > 0 || !isObject(value) || isUnwrapped(value, plan);
    const isAsIs = !unkept && isInside && matchesAsIs(value, plan);
    return isAsIs ? value : coerce(value, plan, this.path, this.repairs, { source, unkept, tool: this.options.tool });
  }

  /** Writes a complete value at the next place; `unkept`: see {@link coerce}. */
  write(value: unknown, unkept?: Set<string>): void {
    if (!this.buffered) return this.complete(value, this.plan, undefined, unkept);
    this.buffered.builder.write(value);
    this.settle();
  }

  /** Writes arguments that came before the call's name. */
  writeBuilt(builder: ValueBuilder): void {
    this.completeBuilt(builder, this.plan);
  }

  /** Whether all arguments can be written at once. */
  get takesWhole(): boolean {
    return !this.started && !this.buffered && this.options.aliases === noAliases;
  }

  whole(read: () => WholeValue | undefined): boolean {
    const found = this.takesWhole ? read() : undefined;
    if (!found || !allMatchAsIs(found.value, this.plan)) return false;
    this.writeWhole(found.value, () => withoutSpace(found.source));
    return true;
  }

  /** Writes all arguments, which need no coercion (see {@link allMatchAsIs}), and their text in JSON. */
  writeWhole(value: object, json: () => string): void {
    this.lead();
    if (this.options.writesText) this.add(json());
    this.put(value);
  }

  key(key: string, json?: string): void {
    if (this.buffered) return this.buffered.builder.key(key);
    const top = this.frames.at(-1)!;
    const found = property(top.plan, this.meant(key));
    top.key = found?.key ?? key;
    if (this.options.writesText) top.json = json !== undefined && top.key === key ? json : JSON.stringify(top.key);
    top.next = found?.plan ?? anyPlan;
    const isUnknown =
      this.frames.length === 1 && this.options.aliases === noAliases && !top.plan.properties.has(top.key);
    const isFirst = top.empty && this.dropped === undefined && top.plan.properties.size > 0;
    if (isUnknown && (isFirst || mayWrap(top.key, top.plan))) {
      this.buffer(found?.plan ?? false, isFirst ? "all" : "some");
    } else if (!found) {
      this.buffer(false);
    } else if (found.key !== key && this.options.aliases.short(found.key) !== key) {
      this.repairs.add("renamed-key", this.path);
    }
  }

  begin(kind: Composite): void {
    if (kind === "string") return this.beginString();
    const { plan } = this;
    // Arguments are an object; any other value in their place is buffered and coerced to one. A group is buffered,
    // because its end shows whether it is a list.
    const isOfKind = plan.kind === kind || (plan.kind === "any" && this.frames.length > 0 && kind !== "group");
    if (this.buffered || !isOfKind) return (this.buffered?.builder ?? this.buffer(plan)).begin(kind);
    const container = kind === "object" ? {} : [];
    this.lead();
    this.add(kind === "object" ? "{" : "[");
    this.put(container);
    this.frames.push({ plan, container, key: "", json: '""', next: anyPlan, empty: true });
  }

  private beginString(): void {
    const { plan } = this;
    const streams = plan.takesText || (plan.kind === "any" && this.frames.length > 0);
    if (this.buffered || !streams) return (this.buffered?.builder ?? this.buffer(plan)).begin("string");
    this.lead();
    this.add('"');
    this.streamed = new TextBuffer();
  }

  end(kind: Composite): void {
    if (this.buffered) {
      this.buffered.builder.end(kind);
      return this.settle();
    }
    if (kind === "string") {
      this.add('"');
      this.put(this.streamed?.toString() ?? "");
      this.streamed = undefined;
      return;
    }
    this.frames.pop();
    this.add(kind === "object" ? "}" : "]");
  }

  text(text: string, json?: string): void {
    if (this.buffered) return this.buffered.builder.text(text, json);
    this.streamed?.push(text);
    if (this.options.writesText) this.add(json ?? (ESCAPED.test(text) ? JSON.stringify(text).slice(1, -1) : text));
  }

  scalar(value: number | boolean | null, source: string): void {
    if (this.buffered) {
      this.buffered.builder.scalar(value, source);
      return this.settle();
    }
    this.complete(value, this.plan, source);
  }
}

/** Whether coercion certainly leaves whole arguments unchanged, and they have no wrapper. */
export const allMatchAsIs = (args: object, plan: Plan): boolean => matchesAsIs(args, plan) && isUnwrapped(args, plan);

/** Like {@link allMatchAsIs}: undefined where that is false. `matches`: the arguments certainly match the schema, too. */
export function matchAsIs(args: object, plan: Plan): { matches: boolean } | undefined {
  const matches = quicklyMatchesAsIs(args, plan);
  return (matches || matchesAsIs(args, plan)) && isUnwrapped(args, plan) ? { matches } : undefined;
}

/** Whether no key can be that of all arguments, or of some. */
function isUnwrapped(args: object, plan: Plan): boolean {
  const { properties } = plan;
  let isFirst = properties.size > 0;
  for (const key in args) {
    if (!properties.has(key) && (isFirst || mayWrap(key, plan))) return false;
    isFirst = false;
  }
  return true;
}

/** One frame's part of the pointer: the next value in the last frame, the open container in the others. */
function step({ container, key }: Frame, isLast: boolean): string {
  const at = Array.isArray(container) ? String(container.length - (isLast ? 0 : 1)) : key;
  return join("", at);
}
