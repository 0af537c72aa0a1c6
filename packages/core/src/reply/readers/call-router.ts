import { isObject } from "../../common/plain-object.js";
import { readJsonText } from "../../notation/json/read-json.js";
import { withoutSpace } from "../../notation/json/whole-json.js";
import { repeatedKeyMessage } from "../../notation/repeated-keys.js";
import { emitValue, ValueBuilder, type WholeValue } from "../../notation/value-sink.js";
import type { Plan } from "../../schema/plan.js";
import type { JsonCallBody } from "../../syntax/syntax.js";
import { isModelRole } from "../../syntax/turn-tokens.js";
import {
  ARGUMENT_KEYS,
  ASIDE_KEYS,
  CALL_KEYS,
  LEAD_KEYS,
  LIST_KEYS,
  NAME_KEYS,
  RESULT_KEYS,
  SAID_KEYS,
  UNKNOWN_KEYS,
  WRAPPER_KEYS,
} from "../arguments/call-keys.js";
import { allMatchAsIs } from "../arguments/emitter.js";
import { isEmpty } from "../arguments/unknown-keys.js";
import { namedValues } from "../arguments/wrapped.js";
import type { KnownTools } from "../forms/match-branch.js";
import { alsoHas, type Call } from "../output/call.js";
import { partsOf } from "./call-parts.js";
import { type Beginning, type Route, RoutingSink } from "./routing-sink.js";

/** The calls that a router writes to. */
export interface CallHost extends KnownTools {
  /** Whether a tag of this name opens a call, or a block of calls, in any format that is read. */
  opensCalls(name: string): boolean;
  /** Whether the call may be in a quotation. */
  readonly mayBeQuoted?: boolean;
  /** The plan of the arguments that the next object's call of that tool has; undefined: no such call can begin. */
  planOf(name: string): Plan | undefined;
  /** Whether a call before it was assigned to this name. */
  isVariable(name: string): boolean;
  /** The call being read, or the last one. */
  currentCall(): Call;
  /** Begins the call of a new object. */
  nextCall(): Call;
  /** Notes that the object of the current call is complete. */
  callClosed(): void;
}

/**
 * Splits an object such as `{"name": …, "arguments": {…}}` from a JSON reader: the name goes to the call, the arguments
 * to its emitter. It also accepts other names of the two keys, the pair inside a `function` object, arguments next to
 * the name, a list of such objects, and an object around that list.
 */
export class CallRouter extends RoutingSink {
  /** The number of open objects of the call: its own, and a `function` object inside. */
  private depth = 0;
  private role: "name" | "arguments" | "wrapper" | "list" | "other" = "other";
  /** A list item that is a tool's name, and the items after it that are arguments as text. */
  private pair: { name: string; args: [string, string][] } | undefined;
  /** The other list items in the place of the arguments. */
  private moreArguments: readonly object[] = [];
  /** Whether the calls are a list inside an object, and whether that list is still open. */
  private list: "none" | "inside" | "after" = "none";
  private key_ = "";
  /** Whether the name is null: none is to be called. */
  isNone = false;
  /** Values next to the name, which may be the arguments. */
  private others = new ValueBuilder();
  /** The keys of the call itself so far that mean the name or the arguments, each with its depth. */
  private seen: string[] = [];

  constructor(
    private readonly body: JsonCallBody,
    protected override readonly host: CallHost,
  ) {
    super(host);
  }

  protected expectsOwn(key: string): boolean | undefined {
    return CALL_KEYS.has(key) || key === this.body.name || key === this.body.arguments || undefined;
  }

  protected override get needsOwnObject(): boolean {
    return this.role === "arguments" && this.depth > 0;
  }

  override declares(key: string): boolean {
    return key === this.body.arguments || super.declares(key);
  }

  protected route(kind: Beginning): Route | undefined {
    if (kind === "object") return this.routeObject();
    if (kind === "array") return this.routeArray();
    if (kind === "string" && this.role === "wrapper") {
      const call = this.host.currentCall();
      this.role = call.isNamed ? "other" : "name";
      if (this.role === "name" && this.key_ !== this.body.name) call.repaired("renamed-key");
    }
    return this.routeValue();
  }

  private routeObject(): Route | undefined {
    if (this.depth === 0 && this.pair) return this.paired(this.pair.name);
    // An object names no tool, but may be the call.
    if (this.role === "name") this.role = "other";
    if (this.depth > 0 && this.role !== "wrapper") return this.routeValue();
    if (this.depth === 0) this.start();
    this.depth++;
    return undefined;
  }

  private start(): void {
    this.host.nextCall();
    this.seen = [];
    this.others = new ValueBuilder();
    this.others.begin("object");
  }

  private routeArray(): Route | undefined {
    if (this.role === "list" && this.depth === 1) {
      this.say(() => this.host.currentCall());
      this.list = "inside";
      this.depth = 0;
      return undefined;
    }
    // A list around the calls has no effect.
    if (this.depth === 0) return undefined;
    if (this.role !== "arguments" || !this.host.currentCall().isStarted) return this.routeValue();
    const sink = new ValueBuilder();
    const complete = () => {
      this.takeList(sink);
      this.host.currentCall().completeArguments();
    };
    return { sink, complete };
  }

  /** Ends the object so far as a text of the answer, if it has one before or after its list of calls. */
  private say(object: () => Call): void {
    const { said } = this;
    if (said === undefined) return;
    object().setAnswer(said, true);
    this.host.callClosed();
  }

  /** The text of the answer next to the calls. */
  private get said(): string | undefined {
    const said = Object.entries(this.others.value as Record<string, unknown>).find(
      ([key, value]) => SAID_KEYS.has(key) && typeof value === "string" && value !== "",
    );
    return said && String(said[1]);
  }

  private routeValue(): Route {
    if (this.depth === 0) return built((value) => this.readItem(value));
    if (this.role === "arguments") return this.routeArguments();
    if (this.role === "name") {
      return built((value) => {
        if (typeof value === "string") this.host.currentCall().setName(value.trim());
        else if (value === null) this.isNone = true;
      });
    }
    this.others.key(this.key_);
    return { sink: this.others };
  }

  private routeArguments(): Route {
    const call = this.host.currentCall();
    const complete = () => {
      this.host.currentCall().completeArguments();
    };
    return { sink: call.argumentSink(), keys: call, complete };
  }

  protected wholeRoute(): Route | undefined {
    return this.role === "arguments" && this.depth > 0 ? this.routeArguments() : undefined;
  }

  /** Takes the object of a whole call whose arguments need no coercion. */
  protected override takeOwn(read: () => WholeValue | undefined): boolean {
    if (this.depth > 0 || this.pair) return false;
    const found = read();
    const parts = found && partsOf(found.value, this.body, (key) => this.host.isTool(key) === true);
    const plan = parts && this.host.planOf(parts.name);
    if (!plan || !allMatchAsIs(parts.args, plan)) return false;
    const call = this.host.nextCall();
    if (parts.renamed === "name") call.repaired("renamed-key");
    call.setName(parts.name);
    if (parts.renamed === "arguments") call.repaired("renamed-key");
    call.argumentEmitter().writeWhole(parts.args, () => withoutSpace(found.inner));
    call.completeArguments();
    this.host.callClosed();
    return true;
  }

  /** Reads the item after a tool's name as its arguments. */
  private paired(name: string): Route {
    this.pair = undefined;
    const call = this.host.nextCall();
    call.setName(name);
    call.repaired("paired-arguments");
    const complete = () => {
      if (isCallOf(call)) call.reject("a call follows a tool's name in a list");
      call.completeArguments();
      this.host.callClosed();
    };
    return { sink: call.argumentSink(), keys: call, complete };
  }

  protected ownKey(key: string): void {
    this.key_ = key;
    this.rejectRepeated(key);
    if (key === this.body.arguments) this.role = "arguments";
    else if (key === this.body.name) this.role = "name";
    else if (WRAPPER_KEYS.has(key)) this.role = "wrapper";
    else if (LIST_KEYS.has(key) && !this.host.currentCall().isNamed) this.role = "list";
    else if (ARGUMENT_KEYS.has(key)) this.role = "arguments";
    else this.role = NAME_KEYS.has(key) ? "name" : "other";
    const call = this.host.currentCall();
    if (this.role === "other" && this.depth === 1 && !call.isNamed && this.host.isTool(key)) {
      // The key is the tool's name, and its value the arguments.
      call.setKey(key);
      this.role = "arguments";
    }
    if ((this.role === "name" && call.isNamed) || (this.role === "arguments" && call.hasArguments)) this.role = "other";
    const isOther = this.role === "name" ? key !== this.body.name : key !== this.body.arguments;
    if (isOther && (this.role === "name" || this.role === "arguments") && !call.isKeyed) call.repaired("renamed-key");
  }

  /** Rejects a repeated name or arguments object, because either could be meant. */
  private rejectRepeated(key: string): void {
    if (!NAME_KEYS.has(key) && !ARGUMENT_KEYS.has(key)) return;
    const place = `${this.depth} ${key}`;
    if (this.seen.includes(place)) this.host.currentCall().reject(`the key ${JSON.stringify(key)} comes twice`);
    else this.seen.push(place);
  }

  protected ownEnd(kind: "object" | "array"): void {
    if (kind === "array") return this.endList();
    this.depth--;
    if (this.depth > 0) return;
    const call = this.host.currentCall();
    if (this.list === "after") {
      // The object around a list ends; its calls ended before.
      this.list = "none";
      call.doubtIf(!call.isNamed);
      return call.isNamed ? this.say(() => this.host.nextCall()) : undefined;
    }
    this.takeOthers();
    this.setAnswer(call);
    call.doubtIf(!call.isNamed && isModelRole((this.others.value as Record<string, unknown>).role));
    this.host.callClosed();
    this.takeMore();
  }

  private endList(): void {
    if (this.depth === 0) this.takePair();
    if (this.list !== "inside" || this.depth > 0) return;
    this.list = "after";
    this.depth = 1;
    this.others = new ValueBuilder();
    this.others.begin("object");
  }

  /** Reads each further object in the place of the arguments as another call of the same tool. */
  private takeMore(): void {
    const { moreArguments } = this;
    const { toolName } = this.host.currentCall();
    this.moreArguments = [];
    for (const args of moreArguments) {
      const call = this.host.nextCall();
      call.setName(toolName ?? "");
      call.repaired("listed-arguments");
      call.argumentEmitter().write(args);
      this.host.callClosed();
    }
  }

  /** Reads a list in place of the arguments: as one call per object if all share a key, else as one value. */
  private takeList(sink: ValueBuilder): void {
    const call = this.host.currentCall();
    const items = Array.isArray(sink.value) ? sink.value : [];
    const [first, ...more] = items.filter(isObject);
    const isSeveral = more.length > 0 && more.length + 1 === items.length && !sink.unkept && !sink.repeatedKey;
    const isShared = (key: string) => more.every((object) => Object.hasOwn(object, key));
    const isOne = namedValues(sink.value, call.plan) !== undefined;
    if (!first || !isSeveral || isOne || !Object.keys(first).some(isShared))
      return call.argumentEmitter().writeBuilt(sink);
    call.repaired("listed-arguments");
    call.argumentEmitter().write(first);
    this.moreArguments = more;
  }

  /** Reads a list item that is not an object: a tool's name, an argument as text, or an encoded call. */
  private readItem(value: unknown): void {
    const [assigned = "", key] = (this.pair && typeof value === "string" && ASSIGNED.exec(value)) || [];
    if (this.pair && key !== undefined) {
      const text = String(value).slice(assigned.length).trimStart();
      this.pair.args.push([key, text.replace(/^(["'])(.*)\1$/s, "$2")]);
    } else if (typeof value === "string" && this.host.isTool(value)) this.pair = { name: value, args: [] };
    else {
      this.pair = undefined;
      this.readEncoded(value);
    }
  }

  /** Ends a list that began with a tool's name. */
  private takePair(): void {
    const { pair } = this;
    this.pair = undefined;
    if (!pair || pair.args.length === 0) return;
    const call = this.host.nextCall();
    call.setName(pair.name);
    call.repaired("paired-arguments");
    for (const [i, [key]] of pair.args.entries())
      if (pair.args.findIndex(([other]) => other === key) < i) call.reject(repeatedKeyMessage(key));
    call.argumentEmitter().write(Object.fromEntries(pair.args));
    this.host.callClosed();
  }

  /** Reads a string in the place of a call's object, which may contain that object, encoded once more. */
  private readEncoded(value: unknown): void {
    const object = typeof value === "string" && /^\s*\{/.test(value) ? readJsonText(value) : undefined;
    if (!isObject(object)) return;
    emitValue(object, this);
    this.host.currentCall().repaired("parsed-text");
  }

  /** The object is the answer if it is a text, or if it has one and says that nothing is to be called. */
  private setAnswer(call: Call): void {
    const text = this.textOf(call);
    const isNone = this.isNone && !call.isNamed && call.argumentNames.length === 0;
    this.isNone = false;
    if (!call.isStarted) call.said = this.said;
    call.setAnswer(isNone ? (text ?? call.said) : text, isNone);
  }

  /** The text of an object that is text, beside the calls of a message's content. */
  private textOf({ isNamed, hasArguments }: Call): string | undefined {
    if (isNamed || hasArguments) return undefined;
    const { type, text, ...more } = this.others.value as Record<string, unknown>;
    return type === "text" && typeof text === "string" && Object.keys(more).length === 0 ? text : undefined;
  }

  /** Without an arguments key, reads the values next to the name as arguments if the tool has those parameters. */
  private takeOthers(): void {
    const call = this.host.currentCall();
    this.others.end("object");
    const others = Object.entries(this.others.value as Record<string, unknown>);
    if (others.length === 0) return;
    if (!call.isNamed) return this.takeUnknownKey(others);
    this.rejectSecond(others);
    const { properties } = call.plan;
    call.doubtIf(others.some(([key]) => !properties.has(key) && this.isOfData(key, call)));
    if (call.hasArguments) {
      const outside = others.find(
        ([key, value]) => !ASIDE_KEYS.has(key) && properties.has(key) && !call.hasAll({ [key]: value }),
      );
      if (outside) call.reject(`the argument ${JSON.stringify(outside[0])} is outside of the arguments`);
      return;
    }
    const known = others.filter(([key]) => properties.has(key));
    if (known.length === 0) call.doubtIf(others.some(([key]) => key === "id"));
    call.doubtIf(known.length < others.filter(([key]) => !ASIDE_KEYS.has(key)).length);
    if (known.length === 0) return;
    call.repaired("flat-arguments");
    const { repeatedKey: repeated, unkept } = this.others;
    if (repeated !== undefined) call.reject(repeatedKeyMessage(repeated));
    call.argumentEmitter().write(Object.fromEntries(known), unkept);
  }

  /**
   * Reads a call under a key that no format has: its name beside its arguments, or the whole call. Beside it may be an id or a
   * thought, and no other value that could be the call.
   *
   * @example
   * // <tool_call>{"method": "add", "params": {"a": 2}}</tool_call>
   * // <tool_call>{"call": {"name": "add", "arguments": {"a": 2}}}</tool_call>
   */
  private takeUnknownKey(others: readonly [string, unknown][]): void {
    const call = this.host.currentCall();
    const [found, ...more] = others.filter(([word, given]) => !LEAD_KEYS.has(word) || isComposite(given));
    if (!found || more.length > 0 || this.isNone || this.others.repeatedKey !== undefined) return;
    const [written, value] = found;
    if (!UNKNOWN_KEYS.has(written)) return;
    const isTool = (tool: string) => this.host.isTool(tool) === true;
    const inner = isObject(value) && !call.hasArguments ? partsOf(value, this.body, isTool) : undefined;
    const named = call.hasArguments && typeof value === "string" ? value : inner?.name;
    if (named === undefined || !isTool(named)) return;
    call.setName(named);
    call.doubtIf(true);
    call.repaired("renamed-key");
    if (inner) call.argumentEmitter().write(inner.args, this.others.unkept);
  }

  /**
   * Whether a key next to the name shows that an object is data: the record of a call has its result, and the definition of a
   * tool a description and, in place of the arguments, a schema.
   */
  private isOfData(key: string, { argumentNames, plan }: Call): boolean {
    if (RESULT_KEYS.has(key)) return true;
    const isSchema = (name: string) => SCHEMA_KEYS.has(name) && !plan.properties.has(name);
    return (
      key === "description" && this.seen.some((place) => /^\d parameters$/.test(place)) && argumentNames.every(isSchema)
    );
  }

  /**
   * Rejects different values under two keys that both mean the name or the arguments, and a tool's name beside the name if its
   * value may be arguments. Beside a name and arguments, an empty value says nothing.
   */
  private rejectSecond(others: readonly [string, unknown][]): void {
    const call = this.host.currentCall();
    for (const [key, value] of others) {
      if (call.plan.properties.has(key)) continue;
      const isName = NAME_KEYS.has(key) && typeof value === "string" && call.isOther(value);
      const isArguments = ARGUMENT_KEYS.has(key) && call.hasArguments && isObject(value) && !call.hasAll(value);
      const mayCall = call.isKeyed
        ? key === call.toolName || isComposite(value)
        : isComposite(value) && !isEmpty(value);
      if (isName || isArguments || (mayCall && this.host.isTool(key))) call.contradiction = alsoHas(key);
    }
  }
}

const isComposite = (value: unknown) => typeof value === "object" && value !== null;

/** Keys of a schema of an object. */
const SCHEMA_KEYS = new Set(["type", "properties", "required", "additionalProperties", "$schema", "title"]);

/** A route to a value that is handled when it is complete. */
function built(complete: (value: unknown) => void): Route {
  const sink = new ValueBuilder();
  return { sink, complete: () => complete(sink.value) };
}

/** A Python keyword argument as text, up to its value. */
const ASSIGNED = /^\s{0,64}([\p{L}_][\p{L}\p{N}_]{0,255})\s{0,64}=/u;

/** Whether the arguments have a key that calls have and the tool lacks. */
const isCallOf = ({ argumentNames, plan }: Call): boolean =>
  plan.properties.size > 0 && argumentNames.some((key) => CALL_KEYS.has(key) && !plan.properties.has(key));
