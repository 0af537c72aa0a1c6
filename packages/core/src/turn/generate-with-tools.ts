import type { RequestConstraint } from "../prompt/constrain.js";
import { createEscaper, guardedWith } from "../prompt/escape.js";
import { callOpening, forcedTool, toolChoiceNotice } from "../prompt/force.js";
import { offeredTools, promptOf } from "../prompt/render-prompt.js";
import { toolSection } from "../prompt/tool-section.js";
import { everyProtocol, getProtocol } from "../protocols/index.js";
import { addEvent, emptyReply } from "../reply/parse-reply.js";
import { randomId } from "../reply/random-id.js";
import { preparedTools } from "../schema/prepared-tools.js";
import type { ToolCallOf } from "../schema/tool-call-of.js";
import type { AnyTool } from "../schema/tool-shapes.js";
import type {
  ChatMessage,
  ParsedReply,
  ReplyEvent,
  TextMessage,
  TextModelRequest,
  ToolChoice,
  ToolDefinition,
  Usage,
} from "../types.js";
import { abortable } from "./abortable.js";
import { type CheckedAnswer, checkAnswer, constrainToAnswer, withAnswerNotice } from "./answer-schema.js";
import { argumentsAsReply } from "./arguments-as-reply.js";
import { Attempt } from "./attempt.js";
import { AttemptTrace } from "./attempt-trace.js";
import { InvalidToolCallError, ToolChoiceError } from "./errors.js";
import type { GenerateInput, GenerateOptions } from "./generate-options.js";
import { LiveAnswer } from "./live-answer.js";
import { onlyTool } from "./only-tool.js";
import { type RawReply, ReplyReader } from "./read-reply.js";
import { constrainRepair, failedTool, repairRequest, withNote } from "./repair.js";
import { guardingRequests, REQUEST_CLOSE, RequestReader } from "./selection/request-reader.js";
import { selectTools } from "./selection/shown-tools.js";
import { streamOf } from "./stream-of.js";
import { type TraceListener, traceListener } from "./trace.js";
import { createTurn, type Turn, type TurnResult } from "./turn.js";
import { checkTurnOptions } from "./turn-options.js";
import { createEventUnescaper } from "./unescape-events.js";
import { whyText } from "./why-text.js";
import { withoutRepeats } from "./without-repeats.js";

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
  const { toolChoice = "auto", onInvalidCall = "surface", constraint = "off", signal } = options;
  const protocol = getProtocol(options.protocol ?? "xml");
  const offered = offeredTools(options.tools ?? [], toolChoice);
  const parallel = (options.parallel ?? typeof toolChoice !== "object") && protocol.syntax.parallel;
  const guard = options.accept === "own" ? [] : everyProtocol;
  const wanted = offered.length > 0 && toolChoice !== "auto" && toolChoice !== "none";
  const retries = options.maxRetries ?? (onInvalidCall === "retry" ? 2 : 1);
  const { selection, model, answerSchema } = options;
  const messages = withAnswerNotice(options.messages, answerSchema, offered.length > 0);
  const begun = trace ? performance.now() : 0;
  const shown =
    selection && (await selectTools({ selection, messages, tools: offered, toolChoice, model, protocol, signal }));
  const markers = shown ? guardingRequests(options.markers) : options.markers;
  const result: TurnResult = Object.assign(emptyReply(), { raw: "", attempts: 0, request: [] });
  addUsage(result, shown?.usage);

  let { tools, prompt, opening, escaper } = render();
  let { prefill } = prompt;
  const answerConstraint =
    answerSchema !== undefined && offered.length === 0 && constraint !== "off"
      ? constrainToAnswer(options.backend ?? "gbnf", answerSchema)
      : undefined;
  let constrained: RequestConstraint = answerConstraint ?? prompt;
  // Rendering has checked the messages.
  const untrusted = options.copiedCalls === "call" ? undefined : untrustedTexts(options.messages, trusted);
  let requests = 0;
  /** The tool that the next attempt must call, because the only call of the last attempt failed. */
  let pinned: string | undefined;
  function render() {
    const tools = shown?.tools ?? offered;
    const names = (options.tools ?? []).map(({ name }) => name);
    const guarded = guardedWith(protocol, guard);
    const escaper = createEscaper(guarded, { markers, tools: names });
    const { style = "native" } = options;
    const section = (some: readonly ToolDefinition[]) =>
      toolSection(
        protocol,
        some,
        { style, toolChoice, parallel: (options.parallel ?? true) && protocol.syntax.parallel },
        createEscaper(guarded, { markers, tools: names, definitionsIn: protocol }),
      );
    // Fields after a spread cost a microsecond each; `Object.assign` takes a tenth of one for all.
    const prompt = promptOf(
      Object.assign(
        {},
        options,
        { messages: shown?.conversationWith({ style, section }, escaper) ?? messages, listed: shown?.listed },
        {
          tools: toolChoice === "none" ? options.tools : tools,
          markers,
          protocol,
          guard,
          constraint: constraint === "required" ? ("required" as const) : constraint === "auto",
        },
      ),
      names,
    );
    // A constrained reply needs no prefill.
    const forced = wanted && !prompt.constraint && !prompt.fields && options.prefill !== false;
    const opening = forced ? callOpening(protocol, tools, forcedTool(toolChoice, tools)) : undefined;
    result.request = prompt.messages;
    return { tools, prompt, opening, escaper };
  }
  while (true) {
    signal?.throwIfAborted();
    result.attempts += 1;
    const request = modelRequest(
      options,
      result.request,
      [...prompt.stop, ...(shown ? [REQUEST_CLOSE] : []), ...(options.stop ?? [])],
      constrained,
      prefill,
    );
    const traced = trace && new AttemptTrace(trace, { attempt: result.attempts, protocol: protocol.name, request });
    const reader = new ReplyReader({
      prefill,
      // A tool that is not shown can be called all the same.
      parser: {
        tools: shown ? offered : tools,
        protocol,
        accept: options.accept,
        generateId: options.generateId,
        untrusted,
      },
      opening: opening === undefined ? undefined : { protocol, tool: pinned ?? forcedTool(toolChoice, tools) },
      single: !parallel,
      maxRepeatedCalls: options.maxRepeatedCalls ?? (constrained.constraint || constrained.fields ? 0 : 1),
    });
    const asking =
      shown && requests < MAX_REQUESTS
        ? new RequestReader((request) => untrusted?.some((text) => text.includes(request)) ?? false)
        : undefined;
    const textWaits = answerSchema !== undefined && !answerConstraint;
    const live = textWaits && options.liveAnswer ? new LiveAnswer(answerSchema) : undefined;
    const steps = [
      createEventUnescaper(escaper),
      live?.on,
      typeof toolChoice === "object" ? onlyTool(toolChoice.name) : undefined,
      result.text === "" ? undefined : withoutRepeats(result.text),
    ];
    // Events that cannot be retried need no buffering.
    const canRetry = onInvalidCall === "retry" && result.attempts - requests <= retries;
    const callsWait = canRetry ? (options.liveCalls ? "wrong" : "all") : "none";
    const attempt = new Attempt({
      steps,
      wanted,
      callsWait,
      textWaits: () => textWaits && !live?.isSent,
      seen: traced?.seen,
    });
    const send = (events: ReplyEvent[]) => release(attempt.on(events), result, onInvalidCall);
    for await (const chunk of abortable(streamOf(model(request)), signal)) {
      const events = reader.push(chunk);
      if (events.length === 0) continue;
      for (const batch of send(asking ? events.flatMap((event) => asking.on(event)) : events)) yield batch;
      if (reader.over || asking?.done) break;
    }
    if (!asking?.done) {
      const last = reader.end();
      for (const batch of send(asking ? last.flatMap((event) => asking.on(event)) : last)) yield batch;
    }
    if (live) for (const batch of send(live.end())) yield batch;
    // A reply that requests more tools ends there, and the rest of it is ignored.
    if (asking && !asking.done) for (const batch of send(asking.end())) yield batch;
    const reply: RawReply = asking?.done ? { text: "", prefill: "" } : reader.reply;
    takeReply(result, reply);
    if (traced) {
      const reasoning = attempt.called ? "" : reasoningIn(attempt.buffered, result);
      const how = { tools, protocol, accept: options.accept, reasoning, untrusted };
      traced.reply(reply, () => (attempt.called ? [] : whyText(reply.prefill + reply.text, how)));
    }

    if (shown && asking?.request !== undefined) {
      const grown = shown.grow(asking.request);
      // If the reply also has calls, the requested tools are shown in the next turn.
      if (!attempt.called) {
        requests += 1;
        ({ tools, prompt, opening, escaper } = render());
        ({ prefill } = prompt);
        constrained = prompt;
        if (!grown) result.request = withNote(result.request, nothingFits(asking.request));
        continue;
      }
    }
    const onlyCallable = forcedTool(toolChoice, tools);
    if (!attempt.met && onlyCallable !== undefined && !asking?.request) {
      // Some models write only the arguments if only one tool can be called.
      const tool = tools.find(({ name }) => name === onlyCallable)!;
      const call = argumentsAsReply(reply.text, tool, options.generateId ?? randomId, untrusted);
      if (call) {
        attempt.dropText();
        for (const batch of send(call)) yield batch;
      }
    }
    const { met, invalid, buffered } = attempt;
    let answer: CheckedAnswer | undefined;
    if (textWaits && met && !attempt.called && !live?.isSent) {
      answer = checkAnswer(attempt.bufferedText, answerSchema);
      if (answer.event) attempt.dropText(answer.event);
    }
    const callsGood = onInvalidCall !== "retry" || attempt.sentCall || invalid.length === 0;
    const good = met && callsGood && answer?.feedback === undefined;
    if (good || !(result.attempts - requests <= retries)) {
      if (!met && options.onMissingCall !== "surface")
        throw new ToolChoiceError(unmet(toolChoice, result.attempts), reply.text);
      for (const batch of release(joinedDeltas(buffered), result, onInvalidCall)) yield batch;
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
    if (shown?.add(namesOf(invalid))) {
      ({ tools, prompt, opening, escaper } = render());
      constrained = prompt;
    }
    const notice = met ? answer?.feedback : toolChoiceNotice(toolChoice, protocol, tools);
    result.request = repairRequest(result.request, reply, invalid, notice);
    pinned = failedTool(attempt, tools);
    options.onRepair?.(invalid);
    trace?.({ type: "repair", attempt: result.attempts, calls: invalid, missingCall: !met, tool: pinned });
    if (pinned !== undefined && options.prefill !== false) opening = callOpening(protocol, tools, pinned);
    prefill = opening;
    if (constraint === "fallback" || (pinned !== undefined && constraint !== "off")) {
      constrained = constrainRepair(options, { tools, protocol, parallel, pinned, invalid });
      if (constrained.constraint || constrained.fields) prefill = undefined;
    }
  }
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

/** The names of calls; a call that could not be read may have none. */
const namesOf = (calls: readonly { name?: string | undefined }[]) => calls.flatMap(({ name }) => name ?? []);

/** The maximum number of requests for more tools in one turn. A further one is text. */
const MAX_REQUESTS = 3;

const nothingFits = (request: string) => `There is no further tool for ${JSON.stringify(request)}.`;

function modelRequest(
  options: GenerateOptions,
  messages: TextMessage[],
  stop: string[],
  { constraint, fields }: RequestConstraint,
  prefill: string | undefined,
): TextModelRequest {
  const { signal, maxTokens, temperature, seed } = options;
  // Field by field: a conditional spread takes ten times as long.
  const request: TextModelRequest = { messages };
  if (stop.length > 0) request.stop = [...new Set(stop)];
  if (constraint) request.constraint = constraint;
  if (options.fields || fields) request.fields = { ...options.fields, ...fields };
  if (prefill !== undefined) request.prefill = prefill;
  if (signal) request.signal = signal;
  if (maxTokens !== undefined) request.maxTokens = maxTokens;
  if (temperature !== undefined) request.temperature = temperature;
  if (seed !== undefined) request.seed = seed;
  return request;
}

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
