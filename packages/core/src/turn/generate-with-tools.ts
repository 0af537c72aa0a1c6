import { createEscaper, guardedWith } from "../prompt/escape.js";
import { callOpening, forcedTool, toolChoiceNotice } from "../prompt/force.js";
import type { Hold } from "../prompt/hold.js";
import { offeredTools, type RenderPromptOptions, renderPrompt } from "../prompt/render-prompt.js";
import { everyProtocol, getProtocol } from "../protocols/index.js";
import { addEvent, emptyReply } from "../reply/parse-reply.js";
import { randomId } from "../reply/random-id.js";
import { preparedTools } from "../schema/prepared-tools.js";
import type { AnyTool } from "../schema/tool-shapes.js";
import type {
  ChatMessage,
  InvalidToolCall,
  JsonSchema,
  ParsedReply,
  ReplyEvent,
  TextMessage,
  TextModel,
  TextModelRequest,
  ToolChoice,
  Usage,
} from "../types.js";
import { abortable } from "./abortable.js";
import { type CheckedAnswer, checkAnswer, holdToAnswer, withAnswerNotice } from "./answer-schema.js";
import { argumentsAsReply } from "./arguments-as-reply.js";
import { Attempt } from "./attempt.js";
import { AttemptTrace } from "./attempt-trace.js";
import { InvalidToolCallError, ToolChoiceError } from "./errors.js";
import { LiveAnswer } from "./live-answer.js";
import { onlyTool } from "./only-tool.js";
import { type RawReply, ReplyReader } from "./read-reply.js";
import { failedTool, holdRepair, repairRequest, withNote } from "./repair.js";
import { guardingRequests, REQUEST_CLOSE, RequestReader } from "./selection/request-reader.js";
import { selectTools } from "./selection/shown-tools.js";
import type { ToolSelection } from "./selection/tool-selection.js";
import { streamOf } from "./stream-of.js";
import { type TraceListener, traceListener } from "./trace.js";
import { createTurn, type Turn, type TurnResult } from "./turn.js";
import { checkTurnOptions } from "./turn-options.js";
import { createEventUnescaper } from "./unescape-events.js";
import { whyText } from "./why-text.js";
import { withoutRepeats } from "./without-repeats.js";

/** What {@link generateWithTools} takes, besides what makes the prompt. */
export interface GenerateOptions extends Omit<RenderPromptOptions, "guard" | "listed" | "constraint"> {
  model: TextModel;
  /** Shows the model only those of many tools that the conversation needs. Default: all are shown. */
  selection?: ToolSelection | undefined;
  /**
   * What becomes of a call that must not run. `surface` (default): it is reported as `call-invalid`, beside the good
   * ones. `retry`: the model is told what was wrong and asked again. `throw`: the turn fails with
   * `InvalidToolCallError`.
   */
  onInvalidCall?: "surface" | "retry" | "throw" | undefined;
  /**
   * Whether calls are held to their form by what `backend` names. `auto`: where the protocol can be; a call that may come
   * by what can wait for its beginning. `required`: the same, and an error where a call must come and cannot be
   * held. `fallback`: only when the model is asked again. Default `off`.
   */
  constraint?: "off" | "auto" | "required" | "fallback" | undefined;
  /** How often the model is asked again. Default 2 under `retry`; else 1, for a required call that was not made. */
  maxRetries?: number | undefined;
  /**
   * How often the same call (name and arguments equal) may come again in one reply. The next time it is left out, and
   * reading ends there, as does the model: small ones are caught in loops. Default 1: who asks for two dice gets them; 0
   * where the reply is held to calls, for there loops are common. `Infinity`: no limit.
   */
  maxRepeatedCalls?: number | undefined;
  /**
   * What a call is whose source stands in a message of a user or in a result, white space and escapes apart. `text`
   * (default): text, for the model only repeats what somebody else wrote; the event says so by its `reason`. `call`: a call.
   */
  copiedCalls?: "text" | "call" | undefined;
  /** Which calls the parser understands: those of any protocol, or the prompted one's only. Default: the parser's. */
  accept?: "any" | "own" | undefined;
  /**
   * Under `onInvalidCall: "retry"`: calls stream as they are written, and the model is asked again only where nothing of
   * a call was sent, as for a call of an unknown tool. Default `false`: calls wait, so that each can be written again.
   */
  liveCalls?: boolean | undefined;
  /**
   * What becomes of a required call that was not made, even when asked for again. `throw` (default): the turn fails with
   * `ToolChoiceError`. `surface`: the reply is the answer.
   */
  onMissingCall?: "throw" | "surface" | undefined;
  /**
   * The JSON Schema of the answer, where the model makes no call; `{ type: "object" }` for any JSON object. It is shown to
   * the model. The answer waits until it is complete, and the model is asked again where it does not match (`maxRetries`
   * times, after which it is returned though it does not match). Without tools, `constraint` constrains it instead.
   */
  answerSchema?: JsonSchema | undefined;
  /**
   * An answer of `answerSchema` that is an object streams as it is written, mended on the way. One that turns out not to match is
   * not asked for again once a part of it was sent. Default `false`.
   */
  liveAnswer?: boolean | undefined;
  /** More fields of the request to the model's server, such as `{ top_p: 0.9 }`. Fields that hold the reply to calls win. */
  fields?: Readonly<Record<string, unknown>> | undefined;
  /** More stop sequences. */
  stop?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
  maxTokens?: number | undefined;
  temperature?: number | undefined;
  seed?: number | undefined;
  /** Makes the ids of calls. */
  generateId?: (() => string) | undefined;
  /** Hears that the model is asked again, and because of which calls; none where a call was required and not made. */
  onRepair?: ((calls: readonly InvalidToolCall[]) => void) | undefined;
  /**
   * Hears the requests, the raw replies, what was read in them and why the model was asked again. With the environment
   * variable `TOOLINGUA_DEBUG=1` the same is written to the console. It must not throw.
   */
  onTrace?: TraceListener | undefined;
}

/** The same, with tools of any shape that `normalizeTools` takes. */
export interface GenerateInput extends Omit<GenerateOptions, "tools"> {
  tools?: readonly AnyTool[] | undefined;
}

/**
 * One turn of the assistant by a text-only model: renders the prompt, asks the model, reads its reply as it comes.
 *
 * - Events stream as the model writes. When a call is required, nothing is sent before a call that fits begins.
 * - `onInvalidCall: "retry"`: text streams, calls wait until the reply is known to be good, but for those of the last
 *   attempt, which stream too. If one is not, the model is shown its reply and what was wrong with each call, and writes all of them again. Text that was sent before a failed
 *   call stays sent and is part of `result().text`; words that the model repeats are not sent twice.
 * - A required call that was not made is asked for again (`maxRetries` times), then the turn fails.
 * - Where one call of a known tool failed and no other was made, the next attempt is held to that tool.
 * - `toolChoice: { name }`: calls of other tools are left out. A reply that is the arguments of the one tool that can
 *   be called, as JSON, is a call of it, also with words around them.
 * - Without `parallel`, reading stops at the end of the first call, and so does the model.
 * - Reading also ends at a call that came too often before (`maxRepeatedCalls`); it is `dropped`, and told in
 *   `result().repeatedCall`.
 * - With a `selection`, the tools that the conversation needs are selected first (a request of its own, whose tokens count
 *   too), and the model can ask for more in the middle of its reply; it is then asked again, with those.
 * - A call that is copied from a user's message or a result is text (`copiedCalls`); where a call is required, it is none.
 * - Arguments and answers in which the model repeats escaped text are un-escaped.
 *
 * Errors: what the model throws, unchanged; the signal's reason; `ToolChoiceError`; `InvalidToolCallError` under
 * `throw`; `OptionsError` (`bad-option`); those of `renderPrompt`.
 *
 * @example
 * const turn = generateWithTools({ model, tools: [add], messages: [{ role: "user", content: "2 + 3?" }] });
 * for await (const event of turn) if (event.type === "text") process.stdout.write(event.text);
 * const { toolCalls } = await turn.result();
 */
export function generateWithTools(options: GenerateInput): Turn {
  return createTurn(() => {
    checkTurnOptions(options);
    const tools = options.tools && preparedTools(options.tools);
    return generateMoments(Object.assign({}, options, { tools }));
  });
}

/**
 * The same turn as an iterator of batches: the events that come at once, and in the end its result. Single events would
 * cost another step of an asynchronous generator each. The options are not checked. `trusted`: messages of a user that
 * count as the application's, so that a call copied from them is a call. They are compared by identity: a field could come
 * from a stranger's JSON.
 */
export function generateMoments(
  options: GenerateOptions,
  trusted: ReadonlySet<ChatMessage> = new Set(),
): AsyncGenerator<ReplyEvent[], TurnResult> {
  const trace = traceListener(options.onTrace);
  return trace ? withErrors(generate(options, trusted, trace), trace) : generate(options, trusted);
}

/** Reports the error that a turn fails with. */
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
  const answerHold =
    answerSchema !== undefined && offered.length === 0 && constraint !== "off"
      ? holdToAnswer(options.backend ?? "gbnf", answerSchema)
      : undefined;
  let hold: Hold = answerHold ?? prompt;
  // The messages are known to be messages once they are rendered.
  const untrusted = options.copiedCalls === "call" ? undefined : untrustedTexts(options.messages, trusted);
  let requests = 0;
  /** The tool that the next attempt must call: the only call of the last one failed. */
  let pinned: string | undefined;
  function render() {
    const tools = shown?.tools ?? offered;
    const names = (options.tools ?? []).map(({ name }) => name);
    const escaper = createEscaper(guardedWith(protocol, guard), { markers, tools: names });
    // Fields that a spread is followed by cost a microsecond each; `Object.assign` takes all of them in a tenth of one.
    const prompt = renderPrompt(
      Object.assign(
        {},
        options,
        { messages: shown?.conversationWith(options.style ?? "native", escaper) ?? messages, listed: shown?.listed },
        {
          tools: toolChoice === "none" ? options.tools : tools,
          markers,
          protocol,
          guard,
          constraint: constraint === "required" ? ("required" as const) : constraint === "auto",
        },
      ),
    );
    // What is held to calls needs no prefill.
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
      hold,
      prefill,
    );
    const traced = trace && new AttemptTrace(trace, { attempt: result.attempts, protocol: protocol.name, request });
    const reader = new ReplyReader({
      prefill,
      parser: { tools, protocol, accept: options.accept, generateId: options.generateId, untrusted },
      opening: opening === undefined ? undefined : { protocol, tool: pinned ?? forcedTool(toolChoice, tools) },
      single: !parallel,
      maxRepeatedCalls: options.maxRepeatedCalls ?? (hold.constraint || hold.fields ? 0 : 1),
    });
    const asking = shown && new RequestReader(shown.isHidden);
    const textWaits = answerSchema !== undefined && !answerHold;
    const live = textWaits && options.liveAnswer ? new LiveAnswer(answerSchema) : undefined;
    const steps = [
      createEventUnescaper(escaper),
      live?.on,
      typeof toolChoice === "object" ? onlyTool(toolChoice.name) : undefined,
      result.text === "" ? undefined : withoutRepeats(result.text),
    ];
    // What cannot be asked for again need not wait.
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
    // A reply that asks for more tools ends there, and counts for nothing else.
    if (asking && !asking.done) for (const batch of send(asking.end())) yield batch;
    const reply: RawReply = asking?.done ? { text: "", prefill: "" } : reader.reply;
    takeReply(result, reply);
    if (traced) {
      const reasoning = attempt.called ? "" : reasoningIn(attempt.held, result);
      const how = { tools, protocol, accept: options.accept, reasoning, untrusted };
      traced.reply(reply, () => (attempt.called ? [] : whyText(reply.prefill + reply.text, how)));
    }

    if (shown && asking?.request !== undefined) {
      const grown = shown.grow(asking.request);
      // Beside calls, what was asked for is there in the next turn.
      if (!attempt.called && requests < MAX_REQUESTS) {
        requests += 1;
        ({ tools, prompt, opening, escaper } = render());
        ({ prefill } = prompt);
        hold = prompt;
        if (!grown) result.request = withNote(result.request, nothingFits(asking.request));
        continue;
      }
    }
    const onlyCallable = forcedTool(toolChoice, tools);
    if (!attempt.met && onlyCallable !== undefined && !asking?.request) {
      // Some models write nothing but the arguments where only one tool can be called.
      const tool = tools.find(({ name }) => name === onlyCallable)!;
      const call = argumentsAsReply(reply.text, tool, options.generateId ?? randomId, untrusted);
      if (call) {
        attempt.dropText();
        for (const batch of send(call)) yield batch;
      }
    }
    const { met, invalid, held } = attempt;
    let answer: CheckedAnswer | undefined;
    if (textWaits && met && !attempt.called && !live?.isSent) {
      answer = checkAnswer(attempt.heldText, answerSchema);
      if (answer.event) attempt.dropText(answer.event);
    }
    const callsGood = onInvalidCall !== "retry" || attempt.sentCall || invalid.length === 0;
    const good = met && callsGood && answer?.feedback === undefined;
    if (good || !(result.attempts - requests <= retries)) {
      if (!met && options.onMissingCall !== "surface")
        throw new ToolChoiceError(unmet(toolChoice, result.attempts), reply.text);
      for (const batch of release(joinedDeltas(held), result, onInvalidCall)) yield batch;
      if (shown) result.selection = shown.summary();
      if (trace) {
        const { attempts, usage, selection } = result;
        trace({ type: "end", attempts, ms: performance.now() - begun, usage, selection });
      }
      return result;
    }
    const notice = met ? answer?.feedback : toolChoiceNotice(toolChoice, protocol, tools);
    result.request = repairRequest(result.request, reply, invalid, notice);
    pinned = failedTool(attempt, tools);
    options.onRepair?.(invalid);
    trace?.({ type: "repair", attempt: result.attempts, calls: invalid, missingCall: !met, tool: pinned });
    if (pinned !== undefined && options.prefill !== false) opening = callOpening(protocol, tools, pinned);
    prefill = opening;
    if (constraint === "fallback" || (pinned !== undefined && constraint !== "off")) {
      hold = holdRepair(options, { tools, protocol, parallel, pinned, invalid });
      if (hold.constraint || hold.fields) prefill = undefined;
    }
  }
}

/** What others than the application and the model wrote. */
const untrustedTexts = (messages: readonly ChatMessage[], trusted: ReadonlySet<ChatMessage>) =>
  messages.flatMap((message) =>
    (message.role === "user" && !trusted.has(message)) || message.role === "tool" ? [message.content] : [],
  );

/** Sends events on, all at once, and counts them into the result. */
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

/** Events that waited, without the steps in which their arguments came. */
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

/** What the model thought, as far as it is known. */
function reasoningIn(held: readonly ReplyEvent[], { reasoning }: ParsedReply): string {
  return reasoning + held.map((event) => (event.type === "reasoning" ? event.text : "")).join("");
}

/** How often a model may ask for more tools in one turn. */
const MAX_REQUESTS = 3;

const nothingFits = (request: string) => `There is no further tool for ${JSON.stringify(request)}.`;

function modelRequest(
  options: GenerateOptions,
  messages: TextMessage[],
  stop: string[],
  { constraint, fields }: Hold,
  prefill: string | undefined,
): TextModelRequest {
  const { signal, maxTokens, temperature, seed } = options;
  // Field by field: each that is spread under a condition takes ten times as long.
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

/** What of the result is the last attempt's. */
function takeReply(result: TurnResult, { text, usage, finish, repeatedCall }: RawReply) {
  result.raw = text;
  addUsage(result, usage);
  // Objects that lose a field are slow from then on.
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
  // A sum is as good as its weakest part.
  const estimated = before.estimated || usage.estimated;
  result.usage = estimated ? { inputTokens, outputTokens, estimated } : { inputTokens, outputTokens };
}

function unmet(toolChoice: ToolChoice, attempts: number): string {
  const what = typeof toolChoice === "object" ? `call the tool "${toolChoice.name}"` : "call a tool";
  const asked = attempts === 1 ? "once" : `${attempts} times`;
  return `The model was required to ${what} but did not, asked ${asked}.`;
}
