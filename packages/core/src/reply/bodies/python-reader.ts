import type { ValueSink } from "../arguments/value-sink.js";
import { type Input, type Status, spaceEnd, standsAt } from "../input.js";
import { ArgumentNames } from "./argument-names.js";
import { Bracket, closes } from "./brackets.js";
import type { JsonReaderOptions } from "./json-options.js";
import { isHalf, JsonReader, MAX_TOKEN, State } from "./json-reader.js";
import { wordEnd } from "./json-words.js";

/**
 * Reads the arguments of a call in Python, from the parenthesis before them to the one behind: by name, by position, as
 * one object, or as an object that is unpacked.
 *
 * Source: the Python Language Reference, 6.3.4.
 */
export class PythonReader extends JsonReader {
  private readonly names: ArgumentNames;
  /** After the parenthesis: one object that holds the arguments, or the first of them. */
  private isFirst = false;
  /** What stands there is an object whose keys are the arguments. */
  private holdsObject = false;

  constructor(sink: ValueSink, options: JsonReaderOptions) {
    super(sink, { ...options, python: true });
    this.names = new ArgumentNames(
      (position) => sink.keyAt?.(position),
      (reason) => options.rejected?.(reason),
    );
  }

  protected override step(input: Input, code: number): Status | undefined {
    if (this.isFirst) return this.firstArgument(code);
    if (this.stack.length > 0 || code !== 0x28 /* ( */) return super.step(input, code);
    input.pos++;
    this.isFirst = true;
    return undefined;
  }

  private firstArgument(code: number): undefined {
    this.isFirst = false;
    this.holdsObject = code === 0x7b /* { */ && !this.sink.takesObjectAt?.(0);
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
    if (/["'“`{[(]/.test(char)) return this.unnamed();
    const end = wordEnd(text, pos);
    if (end === pos) return this.closed(input) ?? this.unexpected("a key or }");
    if (isHalf(input, end)) return this.wait(input, "the end of a key");
    const sign = spaceEnd(text, end);
    if (sign - pos > MAX_TOKEN) return this.unexpected("= after the key");
    if (sign === text.length && !input.final) return "more";
    if (text.charAt(sign) !== "=") return this.unnamed();
    this.names.name(text.slice(pos, end));
    input.pos = sign + 1;
    this.sink.key(text.slice(pos, end));
    this.state = State.Value;
    return undefined;
  }

  /** A value comes without its key. */
  private unnamed(): undefined {
    this.sink.key(this.names.unnamed());
    this.state = State.Value;
  }

  /** `**{…}`: the object's keys are arguments. */
  private unpacked(input: Input): Status | undefined {
    const { text, pos } = input;
    const stands = standsAt(text, pos, "**");
    const brace = spaceEnd(text, pos + 2);
    if (brace - pos > MAX_TOKEN || stands === false) return this.unexpected("an argument");
    if (brace >= text.length && !input.final) return "more";
    if (text.charAt(brace) !== "{") return this.unexpected("an argument");
    this.names.unpacked();
    input.pos = brace;
    return this.openInner(input);
  }
}
