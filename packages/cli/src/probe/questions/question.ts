import type { ToolDefinition } from "@toolingua/core";

/** What a question is about: one call of the only tool, one of several, several calls in one reply, no call at all. */
export type QuestionKind = "one call" | "choice" | "parallel" | "no call";

/** The kinds in the order in which questions take turns. */
export const questionKinds: readonly QuestionKind[] = ["one call", "choice", "parallel", "no call"];

/** A call that is right. Each argument has the values that will do; `undefined` among them: it may be left out. */
export interface ExpectedCall {
  name: string;
  arguments: Readonly<Record<string, readonly unknown[]>>;
}

/** A question whose right answer is known. */
export interface Question {
  id: string;
  kind: QuestionKind;
  content: string;
  tools: readonly ToolDefinition[];
  /** The calls that are right, in any order; none where the model is to answer by itself. */
  calls: readonly ExpectedCall[];
}

/** A call that is right, with values of which there is only one each. */
export const call = (name: string, args: Record<string, unknown> = {}): ExpectedCall => ({
  name,
  arguments: Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, value instanceof Choice ? value.values : [value]]),
  ),
});

class Choice {
  constructor(readonly values: readonly unknown[]) {}
}

/** Any of these values will do; `undefined`: none as well. */
export const either = (...values: unknown[]) => new Choice(values);
