// The actions of a state of a pattern: it takes a character, or tests something without taking one. Bundlers inline such
// constants, and no enum.

/** Takes a character of the set `arg`. */
export const One = 0;
/** Continues at `next` and at `arg`. */
export const Split = 1;
/** Continues at an edge of that number, see `EDGES`. */
export const Edge = 2;
/** Continues where the lookaround of that number matches. */
export const Look = 3;
/** Continues where it does not match. */
export const NoLook = 4;
export const Match = 5;

export type Step = number;
