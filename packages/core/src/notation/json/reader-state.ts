/** The position of a reader in the grammar of JSON. */
export enum State {
  Value,
  /** After `[`: a value or `]`. */
  FirstValue,
  /** After `{`: a key or `}`. */
  FirstKey,
  /** After `,` in an object: a key or `}`. */
  Key,
  Colon,
  /** After a value: `,` or a closing bracket. */
  After,
  String,
  /** After a joined string: the string that continues it. */
  Joined,
  /** In an object that is escaped once more. */
  Escaped,
}
