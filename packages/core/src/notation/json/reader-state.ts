// The positions in the grammar of JSON. Bundlers inline such constants, and no enum.

export const AT_VALUE = 0;
/** After `[`: a value or `]`. */
export const AT_FIRST_VALUE = 1;
/** After `{`: a key or `}`. */
export const AT_FIRST_KEY = 2;
/** After `,` in an object: a key or `}`. */
export const AT_KEY = 3;
export const AT_COLON = 4;
/** After a value: `,` or a closing bracket. */
export const AT_END = 5;
export const IN_STRING = 6;
/** After a joined string: the string that continues it. */
export const AT_JOINED = 7;
/** In an object that is escaped once more. */
export const IN_ESCAPED = 8;
