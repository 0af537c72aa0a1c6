import type { Composite, ValueSink } from "../value-sink.js";
import type { JsonReaderOptions } from "./json-options.js";

/** The maximum depth of nested objects and arrays; deeper nesting is refused. */
export const MAX_DEPTH = 256;

/** Why strings next to each other may be two items. */
export const MISSING_COMMA = "a comma may be missing between two strings of a list";

/** What kind of container is open. `Arguments`: Python's keyword arguments, an object in parentheses. */
export enum Bracket {
  Object = "}",
  Array = "]",
  Tuple = "),",
  /** Parentheses without a comma so far: in Python they group one value and are not a list. */
  Group = ") ",
  /** The same around the value of a key that is no list of texts: Python joins strings in them. */
  ValueGroup = ")_",
  /** The same with strings that are joined: one text, and no list. */
  JoinedGroup = ")+",
  Arguments = ")",
  /** Python's `dict(…)`: an object whose keys are written like arguments. */
  Dict = ")=",
  /** Python's braces around values without keys. */
  Set = "},",
  /** Braces around keys of an object that is already open: `{{…}}`, and Python's `f({…})` and `f(**{…})`. */
  Inner = "} ",
  /** Quotes around an object whose own quotes are not escaped. */
  Quoted = '"',
}

/** Whether its keys are written like Python's arguments: `key=value`. */
export const takesArguments = (bracket: Bracket | undefined) =>
  bracket === Bracket.Arguments || bracket === Bracket.Dict;

/** Whether its values have keys. */
export const isKeyed = (bracket: Bracket | undefined) =>
  bracket === Bracket.Object || bracket === Bracket.Inner || takesArguments(bracket);

/** The value that a bracket opens; undefined: it belongs to the object around it. */
function compositeOf(bracket: Bracket | undefined): Composite | undefined {
  switch (bracket) {
    case Bracket.Object:
    case Bracket.Arguments:
    case Bracket.Dict:
      return "object";
    case Bracket.Group:
    case Bracket.ValueGroup:
    case Bracket.JoinedGroup:
      return "group";
    case Bracket.Array:
    case Bracket.Tuple:
    case Bracket.Set:
      return "array";
    default:
      return undefined;
  }
}

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
    const isValue = kind === Bracket.Group && isKeyed(this.stack.at(-1)) && this.options.keys?.needsTexts !== true;
    this.stack.push(isValue ? Bracket.ValueGroup : kind);
    const composite = compositeOf(kind);
    if (composite) this.sink.begin(composite);
  }

  /** Handles a comma after a value: parentheses with a comma are a list. */
  comma(): void {
    const top = this.stack.at(-1);
    if (top === Bracket.JoinedGroup) this.options.rejected?.(MISSING_COMMA);
    if (compositeOf(top) === "group") this.stack[this.stack.length - 1] = Bracket.Tuple;
  }

  /** Handles a string directly after another one: in a list, a comma may be missing between them. */
  join(): void {
    const top = this.stack.at(-1);
    if (top === Bracket.ValueGroup) this.stack[this.stack.length - 1] = Bracket.JoinedGroup;
    else if (top !== undefined && !isKeyed(top) && top !== Bracket.JoinedGroup) this.options.rejected?.(MISSING_COMMA);
  }

  /** Closes the innermost one. */
  close(): void {
    const composite = compositeOf(this.stack.pop());
    if (composite) this.sink.end(composite);
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
