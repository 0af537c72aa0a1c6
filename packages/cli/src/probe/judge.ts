import { isDeepStrictEqual } from "node:util";
import type { ExpectedCall, Question } from "./questions/question.js";

/** A call as the model made it, valid or not. */
export interface MadeCall {
  name: string;
  arguments: Readonly<Record<string, unknown>>;
}

/** What is wrong with an answer. */
export type Fault = "no call" | "needless call" | "too few calls" | "too many calls" | "wrong tool" | "wrong value";

/**
 * What is wrong with the calls of an answer; `undefined` if they are correct: the expected calls, in any order, each
 * with accepted values. Texts are compared without case, surrounding white space, and a full stop at the end.
 *
 * @example judge(question, [{ name: "get_weather", arguments: { city: "Oslo" } }]); // undefined
 */
export function judge({ calls: expected }: Question, made: readonly MadeCall[]): Fault | undefined {
  if (expected.length === 0) return made.length > 0 ? "needless call" : undefined;
  if (made.length === 0) return "no call";
  if (pairs(expected, made)) return undefined;
  if (made.length < expected.length) return "too few calls";
  const known = new Set(expected.map(({ name }) => name));
  if (made.some(({ name }) => !known.has(name))) return "wrong tool";
  return made.length > expected.length ? "too many calls" : "wrong value";
}

/** Whether the calls match the expected ones one to one. */
function pairs(expected: readonly ExpectedCall[], made: readonly MadeCall[]): boolean {
  const [first, ...others] = made;
  if (first === undefined) return expected.length === 0;
  return expected.some((call, i) => matches(call, first) && pairs(expected.toSpliced(i, 1), others));
}

function matches(expected: ExpectedCall, made: MadeCall): boolean {
  if (made.name !== expected.name) return false;
  if (Object.keys(made.arguments).some((key) => !Object.hasOwn(expected.arguments, key))) return false;
  return Object.entries(expected.arguments).every(([key, values]) => {
    const given = Object.hasOwn(made.arguments, key) ? made.arguments[key] : undefined;
    return values.some((value) => isDeepStrictEqual(plain(value), plain(given)));
  });
}

/** A normalized value for comparison. An argument of `null` counts as left out. */
function plain(value: unknown): unknown {
  if (typeof value === "string") return value.normalize("NFKC").trim().replace(/[.!]$/, "").toLowerCase();
  if (Array.isArray(value)) return value.map(plain);
  if (value === null) return undefined;
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}
