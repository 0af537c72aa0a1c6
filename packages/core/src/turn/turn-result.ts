import { addUsage } from "../common/usage.js";
import type { FinishReason, ParsedReply, TextMessage, ToolCall, Usage } from "../types.js";
import type { RepeatedCall } from "./repeated-calls.js";
import type { RawReply } from "./reply-reader.js";
import type { SelectionSummary } from "./selection/shown-tools.js";

/** One turn of the assistant, read to its end. */
export interface TurnResult<Call = ToolCall, Value = unknown> extends ParsedReply<Call> {
  /** The answer as data, if `answerSchema` was given and it matches. */
  value?: Value;
  /** The raw text of the last attempt. */
  raw: string;
  /** The tokens of all attempts together, if the model reports them. */
  usage?: Usage;
  finish?: FinishReason;
  /**
   * Set if a call that was repeated too often (`maxIdenticalCalls`) ended the last attempt; it is not in `toolCalls`.
   */
  repeatedCall?: RepeatedCall;
  /** The number of attempts: 1, plus 1 for each retry. */
  attempts: number;
  /** The shown tools, if tools were selected. */
  selection?: SelectionSummary;
  /** The messages of the last attempt. */
  request: TextMessage[];
}

/** The result of a turn that has not begun. */
export const emptyResult = (): TurnResult => ({
  text: "",
  reasoning: "",
  toolCalls: [],
  invalidToolCalls: [],
  raw: "",
  attempts: 0,
  request: [],
});

/** Copies the fields of the last attempt to the result. */
export function takeReply(result: TurnResult, { text, usage, finish, repeatedCall }: RawReply): void {
  result.raw = text;
  if (usage) result.usage = addUsage(result.usage, usage);
  // Deleting a field would make the object slow.
  if (finish) result.finish = finish;
  else if (result.finish !== undefined) delete result.finish;
  if (repeatedCall) result.repeatedCall = repeatedCall;
  else if (result.repeatedCall !== undefined) delete result.repeatedCall;
}
