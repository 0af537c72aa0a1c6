import type { ValueSink } from "../arguments/value-sink.js";
import type { JsonReaderOptions } from "./json-options.js";

/** The maximum depth of nested objects and arrays; deeper nesting is refused. */
export const MAX_DEPTH = 256;

/** What kind of container is open. `Arguments`: Python's keyword arguments, an object in parentheses. */
export enum Bracket {
  Object = "}",
  Array = "]",
  Tuple = "),",
  /** Parentheses without a comma so far: in Python they group one value and are not a list. */
  Group = ") ",
  Arguments = ")",
  /** Python's braces around values without keys. */
  Set = "},",
  /** Braces around keys of an object that is already open: `{{…}}`, and Python's `f({…})` and `f(**{…})`. */
  Inner = "} ",
}

/** Whether its values have keys. */
export const isKeyed = (bracket: Bracket | undefined) =>
  bracket === Bracket.Object || bracket === Bracket.Arguments || bracket === Bracket.Inner;

const isList = (bracket: Bracket | undefined) =>
  bracket === Bracket.Array || bracket === Bracket.Tuple || bracket === Bracket.Group || bracket === Bracket.Set;

/** Whether a closing character closes a container of that kind. */
export const closes = (char: string, bracket: Bracket | undefined) => bracket?.charAt(0) === char;

/**
 * The open objects and arrays. A sink is notified when they open and close. Missing closing brackets are added, and
 * noted as a repair.
 */
export class OpenBrackets {
  /** Outermost first. */
  readonly stack: Bracket[] = [];

  constructor(
    private readonly sink: ValueSink,
    private readonly options: JsonReaderOptions,
  ) {}

  get isFull(): boolean {
    return this.stack.length === MAX_DEPTH;
  }

  open(kind: Bracket): void {
    this.stack.push(kind);
    if (kind === Bracket.Object || kind === Bracket.Arguments) this.sink.beginObject();
    else if (kind === Bracket.Group && this.sink.beginGroup) this.sink.beginGroup();
    else if (isList(kind)) this.sink.beginArray();
  }

  /** Handles a comma after a value: parentheses with a comma are a list. */
  comma(): void {
    if (this.stack.at(-1) === Bracket.Group) this.stack[this.stack.length - 1] = Bracket.Tuple;
  }

  /** Closes the innermost one. */
  close(): void {
    const bracket = this.stack.pop();
    if (bracket === Bracket.Object || bracket === Bracket.Arguments) this.sink.endObject();
    else if (bracket === Bracket.Group) this.closeGroup();
    else if (isList(bracket)) this.sink.endArray();
  }

  private closeGroup(): void {
    if (this.sink.endGroup) return this.sink.endGroup();
    this.sink.endArray();
    this.options.rejected?.("parentheses hold no comma: a list, or one value");
  }

  /** Closes everything inside the nearest bracket that matches; false: no open bracket matches. */
  closeInside(isWanted: (bracket: Bracket) => boolean): boolean {
    if (!this.stack.some(isWanted)) return false;
    while (!isWanted(this.stack.at(-1)!)) this.closeMissing();
    return true;
  }

  /** Closes everything: the markup around the value ended before its brackets did. */
  closeAll(): void {
    while (this.stack.length > 0) this.closeMissing();
  }

  private closeMissing(): void {
    this.options.repaired?.("missing-bracket");
    this.close();
  }
}
