// The actions of a state: it takes a character, or tests something without taking one. See
// reader-state.ts on constants in place of an enum.

/** Takes a character of the set `arg`. */
export const STEP_ONE = 0;
/** Continues at `next` and at `arg`. */
export const STEP_SPLIT = 1;
/** Continues at an edge of that number, see `EDGES`. */
export const STEP_EDGE = 2;
/** Continues where the lookaround of that number matches. */
export const STEP_LOOK = 3;
/** Continues where it does not match. */
export const STEP_NO_LOOK = 4;
export const STEP_MATCH = 5;
