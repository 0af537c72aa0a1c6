import type { ToolDefinition } from "@toolingua/core";

/** What a question needs: one call of the only tool, one of several, several calls in one reply, or no call. */
export type QuestionKind = "one call" | "choice" | "parallel" | "no call";

/** The kinds in the order in which they alternate. */
export const questionKinds: readonly QuestionKind[] = ["one call", "choice", "parallel", "no call"];

/** A right call. Each argument has the accepted values; `undefined` among them means that it may be left out. */
export interface ExpectedCall {
  name: string;
  arguments: Readonly<Record<string, readonly unknown[]>>;
}

/** A question with a known right answer. */
export interface Question {
  id: string;
  kind: QuestionKind;
  content: string;
  tools: readonly ToolDefinition[];
  /** The right calls, in any order; none if the model should answer in text. */
  calls: readonly ExpectedCall[];
}

/** A right call, with exactly one accepted value for each argument. */
export const call = (name: string, args: Record<string, unknown> = {}): ExpectedCall => ({
  name,
  arguments: Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, value instanceof Choice ? value.values : [value]]),
  ),
});

class Choice {
  constructor(readonly values: readonly unknown[]) {}
}

/** Any of these values is accepted; `undefined`: the argument may be left out. */
export const either = (...values: unknown[]) => new Choice(values);
