/** What the reader needs to know of its surroundings. */
export interface JsonReaderOptions {
  /** Something not quite JSON was read as if it were. */
  repaired?: (code: string) => void;
  /** Whether the markup that ends the value is at this index; undefined: more input is needed. */
  closes?: ((text: string, index: number) => boolean | undefined) | undefined;
  /** What strings stand between, raw, besides quotation marks. */
  quote?: string | undefined;
  /** Another object may follow this one, of a list that is read from outside. */
  siblings?: boolean;
  /** The value is an object, also where its first bracket is missing. */
  isObject?: boolean;
  /** Python's literals and strings are as good as JSON's. */
  python?: boolean;
  /** Is called for braces in a Python f-string, whose value is unknown. */
  formats?: () => void;
  /** The arguments can be read, but are none that the tool can be called with. */
  rejected?: (reason: string) => void;
  /** What ends the quotes, or the like, that the whole value stands in. */
  around?: readonly string[];
}
