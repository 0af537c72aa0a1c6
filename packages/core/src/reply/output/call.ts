import { isSame } from "../../notation/repeated-keys.js";
import { type KnownKeys, ValueBuilder, type ValueSink } from "../../notation/value-sink.js";
import { noAliases, type ToolAliases } from "../../schema/aliases.js";
import { explainMalformed } from "../../schema/explain.js";
import { isMarkupOrEmpty, isTokenOrEmpty } from "../../schema/names.js";
import type { Plan } from "../../schema/plan.js";
import { quicklyMatches } from "../../schema/quickly-matches.js";
import { planOfTool } from "../../schema/tool-plan.js";
import { validateJson } from "../../schema/validate.js";
import type { ValidationIssue } from "../../schema/validation-issue.js";
import type { InvalidToolCall, RepairCode, ReplyEvent, ToolCall, ToolCallError, ToolDefinition } from "../../types.js";
import { answerIn } from "../arguments/answer-in-call.js";
import { NAME_KEYS } from "../arguments/call-keys.js";
import { isDefinition } from "../arguments/definition.js";
import { Emitter } from "../arguments/emitter.js";
import { endsWithComma } from "../arguments/moved-comma.js";
import { oddKey } from "../arguments/odd-key.js";
import { Repairs } from "../arguments/repairs.js";
import type { ToolTable } from "../arguments/tool-table.js";
import { holdsCall, holdsMisplaced } from "../arguments/wrapped.js";
import type { UntrustedTexts } from "../untrusted/copy-watch.js";
import { invalidArguments, truncated, unknownTool } from "./call-errors.js";

/** The number of unexpected characters that the error of a broken call shows. */
const SHOWN_UNEXPECTED = 20;

/** Why a call is broken, with the unexpected characters at an index of its source. */
export function reasonWith(reason: string, raw: string, at: number): string {
  const found = raw.slice(at, at + SHOWN_UNEXPECTED);
  return found === "" ? reason : `${reason}, found ${JSON.stringify(found)}`;
}

/** Why a call is rejected whose object has another key that may name a call, or means its arguments. */
export const alsoHas = (key: string): string =>
  `its object also has the key ${JSON.stringify(key)}; write one object for each call`;

/** Options that all calls of a reply share. */
export interface CallOptions {
  tools: ToolTable;
  /** Whether a tag of this name opens calls in any format that is read. */
  opensCalls(name: string): boolean;
  generateId: () => string;
  /** Whether to write the arguments' text as well as their value. */
  deltas: boolean;
  /** Whether each call that is read has its source. */
  sources?: boolean;
  /** Texts that must not contain the call. */
  untrusted?: UntrustedTexts | undefined;
}

/** One call while it is being read: from its opener to its `call-end` or `call-invalid`. */
export class Call implements KnownKeys {
  private readonly repairs = new Repairs();
  /** Whether the arguments' own closer was read. */
  argumentsComplete = false;
  /** Whether it has no arguments but has keys that calls lack, or no name: it may be data that looks like a call. */
  isDoubtful = false;
  /** The text of an object that is no call but text of the answer. */
  answerText: string | undefined;
  /** Whether that is certain. */
  isSaid = false;
  /** The text of the answer at the end of its source, with the space after it: the next call may need a line of its own. */
  textAfter = "";
  /** Whether it was reported as invalid. */
  isInvalid = false;
  /** Whether its name was an object's key: only arguments that match make it certainly a call. */
  isKeyed = false;
  private name: string | undefined;
  private tool: ToolDefinition | undefined;
  private unknownTool = false;
  /** Whether its arguments are in an object after that with its name. */
  isSplit = false;
  /** Whether its arguments' brackets do not match. */
  isUnbalanced = false;
  /** The text of the answer in its object. */
  said: string | undefined;
  private rejection: string | undefined;
  /** Why it is refused although its arguments match: another key of its object may name a call, or means its arguments. */
  contradiction: string | undefined;
  private emitter: Emitter | undefined;
  /** Aliases of the arguments. */
  keys = noAliases;
  /** Aliases of the tools, in a body that has them. */
  private aliases: ToolAliases | undefined;
  /** Arguments that came before the name. */
  private builder: ValueBuilder | undefined;
  private readonly tools: ToolTable;

  constructor(
    readonly id: string,
    readonly index: number,
    private readonly events: ReplyEvent[],
    private readonly options: CallOptions,
  ) {
    this.tools = options.tools;
  }

  /** Whether it names an existing tool. */
  get isStarted(): boolean {
    return this.name !== undefined && !this.unknownTool;
  }

  /** The name of the tool; undefined until it is read. */
  get toolName(): string | undefined {
    return this.name;
  }

  get isNamed(): boolean {
    return this.name !== undefined;
  }

  get hasArguments(): boolean {
    return this.builder !== undefined || (this.emitter !== undefined && !this.emitter.isEmpty);
  }

  /** The names of its arguments so far. */
  get argumentNames(): string[] {
    return Object.keys((this.emitter?.value ?? this.builder?.value ?? {}) as object);
  }

  /** Whether it has an argument with this name. */
  has(key: string): boolean {
    return Object.hasOwn((this.emitter?.value ?? {}) as object, key);
  }

  /** Whether it has all arguments of an object, with equal values. */
  hasAll(object: object): boolean {
    const args = (this.emitter?.value ?? {}) as Record<string, unknown>;
    return Object.entries(object).every(([key, value]) => Object.hasOwn(args, key) && isSame(args[key], value));
  }

  /** Whether a name is another tool's. */
  isOther(name: string): boolean {
    const tool = this.tools.resolve(name);
    return tool !== undefined && tool.name !== this.name;
  }

  /** The plan of the arguments; without a known tool, of any arguments. */
  get plan(): Plan {
    return planOfTool(this.tool);
  }

  expects(key: string): boolean | undefined {
    return this.emitter?.expects(key);
  }

  get needsTexts(): boolean {
    return this.emitter?.needsTexts ?? false;
  }

  get needsObject(): boolean {
    return this.emitter?.needsObject ?? false;
  }

  declares(key: string): boolean {
    return this.emitter?.declares(key) ?? false;
  }

  repaired(code: RepairCode): void {
    if (code === "missing-bracket" || code === "extra-bracket") this.isUnbalanced = true;
    this.repairs.add(code, this.emitter?.path ?? "");
  }

  /** The arguments' own closer was read. */
  completeArguments(): void {
    this.argumentsComplete = true;
  }

  /** The answer follows, because the call's end is missing. */
  answered(text: string): void {
    this.textAfter = text;
  }

  /** The arguments are in an object after that with its name. */
  split(): void {
    this.isSplit = true;
    this.repaired("split-call");
  }

  /** Doubts that it is a call, if it may be data. */
  doubtIf(mayBeData: boolean): void {
    this.isDoubtful ||= mayBeData;
  }

  /** Its object is this text of the answer, if any; `isSaid`: also between markers, because calls follow the text. */
  setAnswer(text: string | undefined, isSaid = false): void {
    this.answerText = text;
    this.isSaid = isSaid;
  }

  /** Rejects a call that is well-formed but cannot be what the model meant; undefined: it can. */
  reject(reason: string | undefined): void {
    this.rejection ??= reason;
  }

  /** Sets the name, or the alias in a body that has them. A tool's name starts the call, with the arguments so far. */
  setName(written: string, aliasesOf?: (tools: readonly ToolDefinition[]) => ToolAliases | undefined): void {
    if (this.name !== undefined) return;
    const aliases = this.tools.areKnown ? aliasesOf?.(this.tools.list) : undefined;
    this.aliases = aliases;
    const resolved = this.tools.resolve(aliases?.tools.long(written) ?? written);
    this.name = resolved?.name ?? written;
    this.isDoubtful = false;
    this.unknownTool = resolved === undefined;
    if (resolved) {
      if (resolved.name !== written && aliases?.tools.short(resolved.name) !== written) this.repaired("renamed-tool");
      this.keys = aliases?.parameters(resolved.name) ?? noAliases;
      this.tool = resolved.tool;
      this.events.push({ type: "call-start", index: this.index, id: this.id, name: this.name });
    }
    const { keys, options, name: tool } = this;
    this.emitter = new Emitter(this.plan, this.repairs, { aliases: keys, writesText: options.deltas, tool });
    if (this.builder) this.emitter.writeBuilt(this.builder);
    this.builder = undefined;
  }

  /** Sets the name, which was an object's key. */
  setKey(name: string): void {
    this.setName(name);
    this.isKeyed = true;
  }

  argumentSink(): ValueSink {
    if (this.emitter) return this.emitter;
    this.builder ??= new ValueBuilder();
    return this.builder;
  }

  /** The emitter of the arguments of a named call. */
  argumentEmitter(): Emitter {
    if (!this.emitter) throw new Error("the call is not named yet");
    return this.emitter;
  }

  /** Emits the text of the arguments since the last call of this method. */
  flush(): void {
    const argumentsDelta = this.emitter?.takeDelta();
    if (argumentsDelta && !this.unknownTool)
      this.events.push({ type: "call-delta", index: this.index, argumentsDelta });
  }

  /** The answer in a call whose tool does not exist, see {@link answerIn}. */
  get answer(): string | undefined {
    const answer = this.unknownTool && this.name !== undefined ? answerIn(this.name, this.emitter?.value) : undefined;
    return answer === "" ? (this.said ?? answer) : answer;
  }

  /** Ends a call whose wire format is complete. */
  finish(raw: () => string): void {
    if (this.name === undefined) return this.fail("the call names no tool", raw);
    if (this.unknownTool) return this.invalid(unknownTool(this.name, this.tools.list, this.aliases), raw);
    if (this.emitter?.isEmpty) {
      // Only a name: without known tools it may be any data.
      this.isDoubtful ||= !this.tools.areKnown;
      this.emitter.write({});
    }
    if (this.isUnbalanced && this.mayHideBrackets) this.reject("a bracket is missing or one is too many");
    const value = this.emitter?.value;
    if (this.repairs.has("missing-comma") && endsWithComma(value))
      this.reject("a text ends with a comma that may belong after it");
    if (isDefinition(value, this.plan)) this.reject("its arguments are the tool's definition");
    const isOdd = this.repairs.size > 0 ? isMarkupOrEmpty : isTokenOrEmpty;
    const namesOther = (name: unknown) => typeof name === "string" && this.isOther(name);
    const [dropped] = this.repairs.droppedNames?.find(([, name]) => namesOther(name)) ?? [];
    const odd =
      dropped ??
      oddKey(value, this.plan, (key) => isOdd(key) || (NAME_KEYS.has(key) && namesOther(Object(value)[key])));
    if (odd !== undefined) this.reject(`${JSON.stringify(odd)} is not an argument`);
    if (this.rejection !== undefined) return this.fail(this.rejection, raw);
    this.flush();
    this.emitter?.check();
    const matches = !this.tools.areKnown || quicklyMatches(value, this.plan);
    const issues = matches ? this.repairs.issues : this.issuesOf(value);
    if (issues.length > 0 || typeof value !== "object" || value === null || Array.isArray(value)) {
      const mismatch = { name: this.name, arguments: value, issues, schema: this.tool?.parameters ?? true };
      const error = invalidArguments(mismatch, this.aliases);
      if (this.repairs.issues.length > 0) error.ambiguous = true;
      return this.invalid(error, raw);
    }
    if (this.contradiction !== undefined) {
      // Arguments that match the first name made it certainly a call, so it is refused and not left as text.
      this.isKeyed = false;
      const error = explainMalformed({ raw: raw(), reason: this.contradiction });
      return this.invalid({ ...error, ambiguous: true }, raw);
    }
    const call: ToolCall = { id: this.id, name: this.name, arguments: value as Record<string, unknown> };
    const repairs = this.repairs.list();
    if (repairs.length > 0) call.repairs = repairs;
    const source = this.options.sources ? { source: raw() } : undefined;
    this.events.push({ type: "call-end", index: this.index, call, ...source });
  }

  /** The problems of the arguments, one for each place. */
  private issuesOf(value: unknown): readonly ValidationIssue[] {
    const issues = validateJson(value, this.tool?.parameters ?? true);
    return [...this.repairs.issues, ...issues.filter(({ path }) => !this.repairs.refuses(path))];
  }

  /** With unbalanced brackets: whether a comment may contain some, or an argument may contain the next call. */
  private get mayHideBrackets(): boolean {
    const { repairs, tools } = this;
    const value = this.emitter?.value;
    if (repairs.has("comment") || repairs.has("to-string") || holdsMisplaced(value, this.plan)) return true;
    return holdsCall(value, (name) => tools.areKnown && tools.knows(name));
  }

  /** Ends a call whose wire format is broken. */
  fail(reason: string, raw: () => string, code: "malformed" | "limit" = "malformed"): void {
    this.invalid({ ...explainMalformed({ raw: raw(), reason }), code }, raw);
  }

  /** Ends a call that the end of the reply cut off. */
  truncate(raw: () => string): void {
    this.invalid(truncated(raw(), this.name, this.aliases), raw);
  }

  private get named(): { name?: string } {
    return this.name === undefined ? {} : { name: this.name };
  }

  private invalid(error: ToolCallError, raw: () => string): void {
    this.isInvalid = true;
    this.isDoubtful ||= this.isKeyed;
    this.flush();
    const call: InvalidToolCall = { id: this.id, ...this.named, raw: raw(), error };
    const read = this.emitter?.value ?? this.builder?.value;
    if (read !== undefined) call.arguments = read;
    this.events.push({ type: "call-invalid", index: this.index, call });
  }
}
