import { preparedTools } from "../schema/prepared-tools.js";
import type { SchemaInput } from "../schema/to-json-schema.js";
import type { OutputOf, ToolCallOf } from "../schema/tool-call-of.js";
import type { AnyTool } from "../schema/tool-shapes.js";
import type { ChatMessage, ReplyEvent } from "../types.js";
import type { GenerateInput, GenerateOptions } from "./generate-options.js";
import { LazyTurn } from "./lazy-turn.js";
import { traceListener } from "./trace.js";
import type { Turn } from "./turn.js";
import type { TurnResult } from "./turn-result.js";
import { checkTurnOptions } from "./turn-rules.js";
import { TurnSteps } from "./turn-steps.js";

/**
 * One turn of the assistant on a text-only model: renders the prompt, asks the model and parses its streamed reply.
 *
 * - Events stream while the model writes. If a call is required, nothing is sent before a matching call begins.
 * - `onInvalidCall: "retry"`: text streams; calls are buffered until the reply is known to be valid, except in the last
 *   attempt, where they stream. After an invalid call, the model is shown its reply and the error of each call, and writes
 *   all calls again. Text sent before a failed call is part of `result().text`; repeated text is not sent twice.
 * - A missing required call is asked for again (`maxInvalidCallRetries` times), then the turn fails.
 * - If the only call of a reply was one of a known tool and failed, the next attempt is constrained to that tool.
 * - `toolChoice: { name }`: calls of other tools are dropped. If only one tool can be called, a reply that consists of
 *   its arguments as JSON is a call of it; one with other text around them only with `answersByCall`.
 * - Without `parallel`, reading stops at the end of the first call and ends the model's stream.
 * - Reading also stops at a call repeated too often (`maxIdenticalCalls`): it is `dropped`, see `result().repeatedCall`.
 * - With a `toolSelection`, a separate request first selects the tools that the conversation needs; its tokens count too.
 *   The model can request more tools in its reply; it is then asked again, with those.
 * - A call that is copied from a user's message or a result is text (`copiedCalls`), also if a call is required.
 * - Arguments and answers that repeat escaped text are un-escaped.
 * - Calls are typed by the tools: their names and, where a schema is a literal or one of zod, their arguments. `value` of the
 *   result is typed by `answerSchema` in the same way.
 * - Tools are prepared once for equal content, also if each call passes new objects; they may change between two turns.
 *
 * Errors: those of the model, unchanged; the signal's reason; `ToolChoiceError`; `InvalidToolCallError` under
 * `throw`; `OptionsError` (`bad-option`); those of `renderPrompt`.
 *
 * @example
 * const turn = generateWithTools({ model, tools: [add], messages: [{ role: "user", content: "2 + 3?" }] });
 * for await (const event of turn) if (event.type === "text") process.stdout.write(event.text);
 * const { toolCalls } = await turn.result();
 */
export function generateWithTools<
  const T extends readonly AnyTool[] = readonly AnyTool[],
  const A extends SchemaInput = SchemaInput,
>(options: GenerateInput<T, A>): Turn<ToolCallOf<T[number]>, OutputOf<A>>;
export function generateWithTools(options: GenerateInput): Turn {
  return new LazyTurn(() => {
    checkTurnOptions(options);
    const tools = options.tools && preparedTools(options.tools);
    return new TurnSteps({ ...options, tools }, NOBODY, traceListener(options.onTrace));
  });
}

/** No message counts as the application's. */
const NOBODY: ReadonlySet<ChatMessage> = new Set();

/**
 * The same with options that are checked, and tools that are prepared. For adapters, which ask `traceListener` for
 * `onTrace` once: reading the environment takes as long as reading a short reply. `trusted`: the messages of which a call
 * may be copied, such as the feedback on a call, which quotes it.
 */
export const turnOf = (options: GenerateOptions, trusted = NOBODY): Turn =>
  new LazyTurn(() => new TurnSteps(options, trusted, options.onTrace));

/** The same turn, read whole; `take` receives its events. Errors: those of the turn, all by the promise. For adapters. */
export const wholeTurnOf = (
  options: GenerateOptions,
  take: (events: ReplyEvent[]) => void,
  trusted = NOBODY,
): Promise<TurnResult> => new TurnSteps(options, trusted, options.onTrace).whole(take);
