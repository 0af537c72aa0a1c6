import { type Input, partial } from "../input.js";
import { operationEnd } from "./python-expression.js";

// What stands between calls in Python.

/** The longest comment or expression that is waited for. */
const MAX_LENGTH = 1024;

/** How much of an expression an error shows. */
const SHOWN = 40;

/**
 * Over semicolons and comments with the space around them; true when something else follows within what is there. A
 * comment ends with its line, or before a marker of those that end the calls.
 */
export function passComments(input: Input, closers: readonly string[]): boolean {
  const { text, final } = input;
  while (input.skipSpace()) {
    const { pos } = input;
    if (text.charAt(pos) === ";") input.pos++;
    else if (text.charAt(pos) === "#") {
      const window = text.slice(pos, pos + MAX_LENGTH);
      const end = markerIn(window, ["\n", ...closers]);
      if (end === MAX_LENGTH) return true;
      if (end === window.length && !final) return false;
      input.pos += end;
    } else return true;
  }
  return false;
}

/**
 * Where an expression ends that goes on behind a call, as in `f() if x else None` and `[f(a) for a in b]`, and why the call
 * is none then; false: none goes on; undefined: too little is there to tell. It ends before a marker of those that end the
 * calls; `line`: or with its line.
 */
export function expressionBehind(
  { text, pos, final }: Input,
  closers: readonly string[],
  line: boolean,
): { end: number; reason: string } | false | undefined {
  const window = text.slice(pos, pos + MAX_LENGTH);
  const marker = markerIn(window, closers);
  const half = final ? 0 : Math.max(0, ...closers.map((closer) => partial(window, 0, closer)));
  const rest = window.slice(0, Math.min(marker, window.length - half));
  const isWhole = marker < window.length || (final && window.length < MAX_LENGTH);
  const end = operationEnd(rest, 0, { line, final: isWhole });
  if (typeof end !== "number") return end === undefined && !isWhole && window.length < MAX_LENGTH ? undefined : false;
  const shown = rest.slice(0, Math.min(end, SHOWN)).trim() + (end > SHOWN ? "…" : "");
  return { end: pos + end, reason: `it is part of an expression (… ${shown}), and a call must stand alone` };
}

/** Where the first of the markers stands that are no single character but the end of a line; where none does, the end of the text. */
const markerIn = (text: string, markers: readonly string[]): number =>
  Math.min(
    text.length,
    ...markers
      .filter((marker) => !/^[^\n]$/.test(marker) && text.includes(marker))
      .map((marker) => text.indexOf(marker)),
  );
