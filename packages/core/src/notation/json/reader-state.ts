// The positions in the grammar of JSON. Bundlers inline such constants, and no enum.

export const Value = 0;
/** After `[`: a value or `]`. */
export const FirstValue = 1;
/** After `{`: a key or `}`. */
export const FirstKey = 2;
/** After `,` in an object: a key or `}`. */
export const Key = 3;
export const Colon = 4;
/** After a value: `,` or a closing bracket. */
export const After = 5;
export const Text = 6;
/** After a joined string: the string that continues it. */
export const Joined = 7;
/** In an object that is escaped once more. */
export const Escaped = 8;

export type State = number;
