import { forcedTool } from "../prompt/force.js";
import { addEvent, emptyReply } from "../reply/parse-reply.js";
import { randomId } from "../reply/random-id.js";
import { preparedTools } from "../schema/prepared-tools.js";
import type { ToolCallOf } from "../schema/tool-call-of.js";
import type { AnyTool } from "../schema/tool-shapes.js";
import type { ChatMessage, ParsedReply, ReplyEvent, ToolChoice, ToolDefinition, Usage } from "../types.js";
import { abortable } from "./abortable.js";
import { argumentsAsReply } from "./arguments-as-reply.js";
import { AttemptReply } from "./attempt-reply.js";
import { AttemptTrace } from "./attempt-trace.js";
import { InvalidToolCallError, ToolChoiceError } from "./errors.js";
import type { GenerateInput, GenerateOptions } from "./generate-options.js";
import type { RawReply } from "./read-reply.js";
import { namesOf, selectTools } from "./selection/shown-tools.js";
import { streamOf } from "./stream-of.js";
import { type TraceListener, traceListener } from "./trace.js";
import { createTurn, type Turn, type TurnResult } from "./turn.js";
import { checkTurnOptions } from "./turn-options.js";
import { TurnPlan } from "./turn-plan.js";
import { TurnPrompt } from "./turn-prompt.js";
import { whyText } from "./why-text.js";

/**
 * One turn of the assistant on a text-only model: renders the prompt, asks the model and parses its streamed reply.
 *
 * - Events stream while the model writes. If a call is required, nothing is sent before a matching call begins.
 * - `onInvalidCall: "retry"`: text streams; calls are buffered until the reply is known to be valid, except in the last
 *   attempt, where they stream. After an invalid call, the model is shown its reply and the error of each call, and writes
 *   all calls again. Text sent before a failed call is part of `result().text`; repeated text is not sent twice.
 * - A missing required call is asked for again (`maxRetries` times), then the turn fails.
 * - If the only call of a reply was one of a known tool and failed, the next attempt is constrained to that tool.
 * - `toolChoice: { name }`: calls of other tools are dropped. If only one tool can be called, a reply that consists of
 *   its arguments as JSON, also with text around them, is a call of it.
 * - Without `parallel`, reading stops at the end of the first call and ends the model's stream.
 * - Reading also stops at a call repeated too often (`maxRepeatedCalls`): it is `dropped`, see `result().repeatedCall`.
 * - With a `selection`, a separate request first selects the tools that the conversation needs; its tokens count too.
 *   The model can request more tools in its reply; it is then asked again, with those.
 * - A call that is copied from a user's message or a result is text (`copiedCalls`), also if a call is required.
 * - Arguments and answers that repeat escaped text are un-escaped.
 * - Calls are typed by the tools: their names and, where a schema is a literal or one of zod, their arguments.
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
export function generateWithTools<const T extends readonly AnyTool[] = readonly AnyTool[]>(
  options: GenerateInput<T>,
): Turn<ToolCallOf<T[number]>>;
export function generateWithTools(options: GenerateInput): Turn {
  return createTurn(() => {
    checkTurnOptions(options);
    const tools = options.tools && preparedTools(options.tools);
    return generateMoments(Object.assign({}, options, { tools }));
  });
}

/**
 * The same turn as an iterator of event batches that returns the result. Batches, because single events would each cost
 * a step of an asynchronous generator. The options are not checked. `trusted`: user messages that count as the
 * application's, so that a call copied from them is a call. They are compared by identity, because a field could come
 * from untrusted JSON.
 */
export function generateMoments(
  options: GenerateOptions,
  trusted: ReadonlySet<ChatMessage> = new Set(),
): AsyncGenerator<ReplyEvent[], TurnResult> {
  const trace = traceListener(options.onTrace);
  return trace ? withErrors(generate(options, trusted, trace), trace) : generate(options, trusted);
}

/** Traces the error of a failing turn. */
async function* withErrors<T, R>(moments: AsyncGenerator<T, R>, trace: TraceListener): AsyncGenerator<T, R> {
  const begun = performance.now();
  try {
    return yield* moments;
  } catch (error) {
    trace({ type: "error", error, ms: performance.now() - begun });
    throw error;
  }
}

async function* generate(
  options: GenerateOptions,
  trusted: ReadonlySet<ChatMessage>,
  trace?: TraceListener,
): AsyncGenerator<ReplyEvent[], TurnResult> {
  const { selection, model, signal, onInvalidCall } = options;
  const plan = new TurnPlan(options);
  const { messages, offered, protocol, toolChoice, retries } = plan;
  const begun = trace ? performance.now() : 0;
  const shown =
    selection && (await selectTools({ selection, messages, tools: offered, toolChoice, model, protocol, signal }));
  const result: TurnResult = Object.assign(emptyReply(), { raw: "", attempts: 0, request: [] });
  addUsage(result, shown?.usage);
  const prompt = new TurnPrompt(plan, shown);
  // Rendering has checked the messages.
  const untrusted = options.copiedCalls === "call" ? undefined : untrustedTexts(options.messages, trusted);
  /** The number of attempts that ended with a request for more tools. */
  let requests = 0;
  while (true) {
    signal?.throwIfAborted();
    result.attempts += 1;
    result.request = prompt.messages;
    const canRetry = result.attempts - requests <= retries;
    const request = prompt.request();
    const traced = trace && new AttemptTrace(trace, { attempt: result.attempts, protocol: protocol.name, request });
    const reply = new AttemptReply({
      ...{ plan, prompt, untrusted, canRetry },
      sentText: result.text,
      canRequest: shown !== undefined && requests < MAX_REQUESTS,
      seen: traced?.seen,
    });
    const { attempt } = reply;
    for await (const chunk of abortable(streamOf(model(request)), signal)) {
      const events = reply.push(chunk);
      for (const batch of release(events, result, onInvalidCall)) yield batch;
      if (reply.isOver) break;
    }
    for (const batch of release(reply.end(), result, onInvalidCall)) yield batch;
    const { raw } = reply;
    takeReply(result, raw);
    if (traced) {
      const reasoning = attempt.called ? "" : reasoningIn(attempt.buffered, result);
      const how = { tools: prompt.tools, protocol, accept: options.accept, reasoning, untrusted };
      traced.reply(raw, () => (attempt.called ? [] : whyText(raw.prefill + raw.text, how)));
    }

    if (shown && reply.request !== undefined) {
      const isGrown = shown.grow(reply.request);
      // If the reply also has calls, the requested tools are shown in the next turn.
      if (!attempt.called) {
        requests += 1;
        prompt.showAdded(isGrown ? undefined : nothingFits(reply.request));
        continue;
      }
    }
    if (!attempt.met && reply.request === undefined) {
      const call = onlyArguments(plan, prompt.tools, raw, untrusted);
      if (call) {
        attempt.dropText();
        for (const batch of release(attempt.on(call), result, onInvalidCall)) yield batch;
      }
    }
    const answer = reply.awaitsCheck ? plan.checkAnswer(attempt.bufferedText) : undefined;
    if (answer?.event) attempt.dropText(answer.event);
    const areCallsGood = onInvalidCall !== "retry" || attempt.sentCall || attempt.invalid.length === 0;
    const isGood = attempt.met && areCallsGood && answer?.feedback === undefined;
    if (isGood || !canRetry) {
      if (!attempt.met && options.onMissingCall !== "surface")
        throw new ToolChoiceError(unmet(toolChoice, result.attempts), raw.text);
      for (const batch of release(joinedDeltas(attempt.buffered), result, onInvalidCall)) yield batch;
      if (shown) {
        shown.add(namesOf([...result.toolCalls, ...result.invalidToolCalls]));
        result.selection = shown.summary();
      }
      if (trace) {
        const { attempts, usage, selection } = result;
        trace({ type: "end", attempts, ms: performance.now() - begun, usage, selection });
      }
      return result;
    }
    prompt.retry(raw, attempt, answer?.feedback);
    const { met, invalid } = attempt;
    options.onRepair?.(invalid);
    trace?.({ type: "repair", attempt: result.attempts, calls: invalid, missingCall: !met, tool: prompt.pinned });
  }
}

/** The call of which a reply has only the arguments, as some models write it if only one tool can be called. */
function onlyArguments(
  { options, toolChoice }: TurnPlan,
  tools: readonly ToolDefinition[],
  { text }: RawReply,
  untrusted: readonly string[] | undefined,
): ReplyEvent[] | undefined {
  const name = forcedTool(toolChoice, tools);
  const tool = name === undefined ? undefined : tools.find((one) => one.name === name);
  return tool && argumentsAsReply(text, tool, options.generateId ?? randomId, untrusted);
}

/** The untrusted texts: those of users and results. */
const untrustedTexts = (messages: readonly ChatMessage[], trusted: ReadonlySet<ChatMessage>) =>
  messages.flatMap((message) =>
    (message.role === "user" && !trusted.has(message)) || message.role === "tool" ? [message.content] : [],
  );

/** Yields events as one batch and adds them to the result. */
function* release(
  events: ReplyEvent[],
  result: ParsedReply,
  onInvalidCall: GenerateOptions["onInvalidCall"],
): Generator<ReplyEvent[]> {
  for (const [i, event] of events.entries()) {
    if (event.type === "call-invalid" && onInvalidCall === "throw") {
      if (i > 0) yield events.slice(0, i);
      throw new InvalidToolCallError(event.call);
    }
    addEvent(result, event);
  }
  if (events.length > 0) yield events;
}

/** Buffered events, with the deltas of each call joined. */
function joinedDeltas(events: readonly ReplyEvent[]): ReplyEvent[] {
  const joined: ReplyEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (event.type === "call-delta" && last?.type === "call-delta" && last.index === event.index) {
      joined[joined.length - 1] = { ...last, argumentsDelta: last.argumentsDelta + event.argumentsDelta };
    } else joined.push(event);
  }
  return joined;
}

/** The model's reasoning so far. */
function reasoningIn(buffered: readonly ReplyEvent[], { reasoning }: ParsedReply): string {
  return reasoning + buffered.map((event) => (event.type === "reasoning" ? event.text : "")).join("");
}

/** The maximum number of requests for more tools in one turn. A further one is text. */
const MAX_REQUESTS = 3;

const nothingFits = (request: string) => `There is no further tool for ${JSON.stringify(request)}.`;

/** Copies the fields of the last attempt to the result. */
function takeReply(result: TurnResult, { text, usage, finish, repeatedCall }: RawReply) {
  result.raw = text;
  addUsage(result, usage);
  // Deleting a field would make the object slow.
  if (finish) result.finish = finish;
  else if (result.finish !== undefined) delete result.finish;
  if (repeatedCall) result.repeatedCall = repeatedCall;
  else if (result.repeatedCall !== undefined) delete result.repeatedCall;
}

function addUsage(result: TurnResult, usage: Usage | undefined) {
  if (!usage) return;
  const before = result.usage ?? { inputTokens: 0, outputTokens: 0 };
  const inputTokens = before.inputTokens + usage.inputTokens;
  const outputTokens = before.outputTokens + usage.outputTokens;
  // A sum is estimated if one of its parts is.
  const estimated = before.estimated || usage.estimated;
  result.usage = estimated ? { inputTokens, outputTokens, estimated } : { inputTokens, outputTokens };
}

function unmet(toolChoice: ToolChoice, attempts: number): string {
  const what = typeof toolChoice === "object" ? `call the tool "${toolChoice.name}"` : "call a tool";
  const asked = attempts === 1 ? "once" : `${attempts} times`;
  return `The model was required to ${what} but did not, asked ${asked}.`;
}
