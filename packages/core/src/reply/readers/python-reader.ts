import { growingPattern, matchAt } from "../../notation/growing-pattern.js";
import { type Input, LOOKAHEAD, matchesAt, type Status, spaceEnd } from "../../notation/input.js";
import { Bracket, closes } from "../../notation/json/brackets.js";
import { startsKey } from "../../notation/json/json-key.js";
import type { JsonReaderOptions } from "../../notation/json/json-options.js";
import { JsonReader } from "../../notation/json/json-reader.js";
import { State } from "../../notation/json/reader-state.js";
import { isHalf, MAX_TOKEN } from "../../notation/json/word-limit.js";
import { closingQuotes, readPythonNumber, readWord, stringEnd, wordEnd } from "../../notation/json-words.js";
import { Lookahead } from "../../notation/lookahead.js";
import { expressionReason, isExpression, operationEnd } from "../../notation/python/python-expression.js";
import type { ValueSink } from "../../notation/value-sink.js";
import type { Plan } from "../../schema/plan.js";
import type { RepairCode } from "../../types.js";
import { ArgumentNames } from "./argument-names.js";

/** Repairs after which a name may be a part of the string before it. */
const DOUBTFUL: ReadonlySet<RepairCode> = new Set<RepairCode>([
  "unescaped-quote",
  "extra-bracket",
  "extra-comma",
  "missing-comma",
]);

/** Repairs of keys that `dict(a=1)` needs none of. */
const OF_DICT: ReadonlySet<RepairCode> = new Set<RepairCode>(["unquoted-key", "key-separator"]);

/**
 * Reads the arguments of a Python call, from its opening to its closing parenthesis: by name, by position, as one
 * object, or as an unpacked object. An expression as a value is skipped, and the call is rejected.
 *
 * Source: the Python Language Reference, 6.3.4.
 */
export class PythonReader extends JsonReader {
  private readonly names: ArgumentNames;
  /** Whether the next value is the first one: an object with all arguments, or the first argument. */
  private isFirst = false;
  /** Whether that value is an object whose keys are the arguments. */
  private holdsObject = false;
  /** The argument whose value is being read. */
  private argument = "";
  /** Why a value cannot be read, unless it is an expression; set while the value is read. */
  private doubt: { reason?: string } | undefined;
  /** A name that the tool does not declare. */
  private undeclared: string | undefined;
  private isRepaired = false;

  constructor(
    sink: ValueSink,
    options: JsonReaderOptions,
    /** The plan of the tool's parameters. */
    private readonly plan: Plan,
    /**
     * `list`: the call is an item of a list, whose bracket ends the call if its own is missing, with the marker after that
     * bracket; `isVariable`: a call before it was assigned to this name.
     */
    private readonly context: { list: { closer?: string } | undefined; isVariable(name: string): boolean },
  ) {
    const own: JsonReaderOptions = { ...options, python: true };
    super(sink, own);
    own.formats = () => this.refuse("a formatted string");
    own.repaired = (code) => {
      if (this.stack.at(-1) === Bracket.Dict && OF_DICT.has(code)) return;
      this.isRepaired ||= DOUBTFUL.has(code);
      this.checkUndeclared();
      options.repaired?.(code);
    };
    own.rejected = (reason) => {
      if (this.doubt) this.doubt.reason = reason;
      else options.rejected?.(reason);
    };
    this.names = new ArgumentNames(plan, (reason) => options.rejected?.(reason));
  }

  protected override step(input: Input, code: number): Status | undefined {
    if (this.isFirst) return this.firstArgument(code);
    const { list } = this.context;
    if (code === 0x5d /* ] */ && list && this.stack.length === 1 && this.isBetweenValues) {
      const look = new Lookahead(input);
      const ends = listEnds(look, input.pos + 1, list.closer);
      if (look.hitEnd) return "more";
      if (ends) {
        this.closeAll();
        return "done";
      }
    }
    if (this.state === State.After && this.stack.length > 0) {
      const goesOn = this.passOperation(input);
      if (goesOn === undefined) return "more";
      return goesOn ? undefined : super.step(input, code);
    }
    if (this.stack.length > 0 || code !== 0x28 /* ( */) return super.step(input, code);
    input.pos++;
    this.isFirst = true;
    return undefined;
  }

  /** Whether the first argument may be an object. */
  private get takesObject(): boolean {
    const [first] = this.plan.properties.values();
    return first !== undefined && admitsObject(first);
  }

  private firstArgument(code: number): undefined {
    this.isFirst = false;
    this.holdsObject = code === 0x7b /* { */ && !this.takesObject;
    this.brackets.open(Bracket.Arguments);
    this.state = State.FirstKey;
  }

  protected override readKey(input: Input, code: number): Status | undefined {
    if (this.stack.at(-1) !== Bracket.Arguments) return super.readKey(input, code);
    const { text, pos } = input;
    const char = text.charAt(pos);
    if (closes(char, Bracket.Arguments)) return this.closeAtKey(input);
    if (char === ",") return this.extraComma(input);
    if (char === "*") return this.unpacked(input);
    if (this.holdsObject && this.state === State.FirstKey) {
      this.names.unpacked();
      return this.openInner(input);
    }
    const isQuoted = /["']/.test(char);
    if (isQuoted) {
      const look = new Lookahead(input);
      const isKey = startsKey(look, pos, char, "=");
      if (look.hitEnd) return "more";
      if (!isKey) return this.unnamed();
      this.repaired("quoted-key");
    } else if (/[“`{[(]/.test(char)) return this.unnamed();
    const end = isQuoted ? stringEnd(text, pos, char) : wordEnd(text, pos);
    if (end === pos) return this.closed(input) ?? this.unexpected("a key or }");
    if (isHalf(input, end)) return this.wait(input, "the end of a key");
    const separatorAt = spaceEnd(text, end);
    if (separatorAt - pos > MAX_TOKEN) return this.unexpected("= after the key");
    if (separatorAt === text.length && !input.final) return "more";
    if (!/[=:]/.test(text.charAt(separatorAt))) return this.unnamed();
    if (text.charAt(separatorAt) === ":") {
      const look = new Lookahead(input);
      const isType = annotates(look, separatorAt + 1);
      if (look.hitEnd) return "more";
      if (isType) this.options.rejected?.("a type is in the place of a value");
      this.repaired("key-separator");
    }
    this.argument = isQuoted ? text.slice(pos + 1, end - 1) : text.slice(pos, end);
    this.names.name(this.argument);
    if (this.options.keys?.expects(this.argument) === false) this.undeclared ??= this.argument;
    this.checkUndeclared();
    input.pos = separatorAt + 1;
    this.sink.key(this.argument);
    this.state = State.Value;
    return undefined;
  }

  private checkUndeclared(): void {
    if (this.undeclared === undefined || !this.isRepaired) return;
    this.options.rejected?.(`${JSON.stringify(this.undeclared)} is not an argument, and may be a part of a string`);
  }

  /** Handles a value without a key. */
  private unnamed(): undefined {
    this.argument = this.names.unnamed();
    this.sink.key(this.argument);
    this.state = State.Value;
  }

  protected override readValue(input: Input, code: number): Status | undefined {
    const look = new Lookahead(input);
    const isSet = code === 0x7b /* { */ && setBegins(look, input.pos);
    const isDict = code === 0x64 /* d */ && dictBegins(look, input.pos);
    if (look.hitEnd) return "more";
    if (isSet && !this.brackets.isFull) {
      input.pos++;
      this.brackets.open(Bracket.Set);
      this.state = State.FirstValue;
      return undefined;
    }
    if (isDict && !this.brackets.isFull) {
      const plan = this.plan.properties.get(this.argument);
      if (this.stack.length === 1 && plan && !admitsObject(plan)) this.refuse("dict(…)");
      input.pos = input.text.indexOf("(", input.pos) + 1;
      this.brackets.open(Bracket.Dict);
      this.state = State.FirstKey;
      return undefined;
    }
    const from = input.pos;
    const needsTexts = this.options.keys?.needsTexts ?? false;
    const doubt: { reason?: string } = {};
    this.doubt = doubt;
    const status = super.readValue(input, code);
    this.doubt = undefined;
    const first = String.fromCharCode(code);
    const isUnquoted = this.state === State.After && closingQuotes(first) === undefined && !/[\])]/.test(first);
    const written = isUnquoted ? input.text.slice(from, input.pos) : "";
    const isVariable = (name: string) =>
      (needsTexts && isText(name)) || (this.options.keys?.declares(name) ?? false) || this.context.isVariable(name);
    if (isExpression(written, isVariable)) this.refuse(written);
    else if (doubt.reason !== undefined) this.options.rejected?.(doubt.reason);
    return status;
  }

  /** Skips the operators after a value, with their operands; undefined: more input is needed. */
  private passOperation(input: Input): boolean | undefined {
    const { text, pos, final } = input;
    const rest = text.slice(pos, pos + MAX_TOKEN);
    const end = operationEnd(rest, 0);
    if (end === undefined && !final && rest.length < MAX_TOKEN) return undefined;
    if (typeof end !== "number") return false;
    input.pos += end;
    this.refuse(`… ${rest.slice(0, end)}`);
    return true;
  }

  /** Rejects the call, because the value of an expression is unknown. */
  private refuse(expression: string): void {
    this.options.rejected?.(expressionReason(expression, `the argument ${JSON.stringify(this.argument)}`));
  }

  /** Reads `**{…}`: the object's keys are arguments. */
  private unpacked(input: Input): Status | undefined {
    const { text, pos } = input;
    const isHere = matchesAt(text, pos, "**");
    const brace = spaceEnd(text, pos + 2);
    if (brace - pos > MAX_TOKEN || isHere === false) return this.unexpected("an argument");
    if (brace >= text.length && !input.final) return "more";
    if (text.charAt(brace) !== "{") return this.unexpected("an argument");
    this.names.unpacked();
    input.pos = brace;
    return this.openInner(input);
  }
}

const admitsObject = ({ kind, types, branches }: Plan): boolean =>
  kind === "object" || kind === "any" || types?.includes("object") === true || branches.some(admitsObject);

const isText = (word: string) => readWord(word).repair === "unquoted-string" && readPythonNumber(word) === undefined;

/** Whether the brace at an index begins a set: a string, number or literal with no colon after it. */
function setBegins(look: Lookahead, pos: number): boolean {
  const window = look.text.slice(pos, pos + MAX_TOKEN);
  const at = spaceEnd(window, 1);
  const quote = window.charAt(at);
  const isString = /["']/.test(quote);
  const end = isString ? stringEnd(window, at, quote) : wordEnd(window, at);
  if (!isString && end < window.length && isText(window.slice(at, end))) return false;
  const next = end < 0 ? window.length : spaceEnd(window, end);
  if (next === window.length && next < MAX_TOKEN) look.atEnd();
  return /[,}]/.test(window.charAt(next));
}

/** Whether a call of `dict` with keys, or with nothing, is at an index. */
const dictBegins = (look: Lookahead, at: number): boolean => matchAt(look, at, DICT, MAX_TOKEN) !== undefined;

const DICT = growingPattern([
  ["dict", "\\s*", "\\(", "\\s*", "[\\p{L}_]", "[\\p{L}\\p{N}_]*", "\\s*", "=", "[^=]"],
  ["dict", "\\s*", "\\(", "\\s*", "\\)"],
]);

/** Whether a list of calls ends before an index: with the reply, or with the marker that closes the block. */
function listEnds(look: Lookahead, at: number, closer: string | undefined): boolean {
  const next = spaceEnd(look.text, at);
  if (next - at > LOOKAHEAD) return false;
  if (look.endsAt(next)) return look.isWhole;
  return closer !== undefined && look.markerEnd(closer, next) !== false;
}

const TYPE =
  /^\s*(?:str(?:ing)?|int(?:eger)?|float|number|bool(?:ean)?|list|dict|tuple|set|any|object|array)\s*(?:[,)=|[]|$)/i;
const MAX_TYPE = 32;

/** Whether a type annotation is at an index, as in the signature of a function. */
function annotates(look: Lookahead, at: number): boolean {
  const window = look.text.slice(at, at + MAX_TYPE);
  if (window.length < MAX_TYPE && /^\s*\w*\s*$/.test(window)) look.atEnd();
  return TYPE.test(window);
}
