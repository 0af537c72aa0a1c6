import { takesGrammar } from "../grammar/backends.js";
import { constrainTo, type RequestConstraint } from "../prompt/constrain.js";
import { type Escaper, hasBreaker } from "../prompt/escape.js";
import { callOpening, forcedTool, toolChoiceNotice } from "../prompt/force.js";
import { type Offer, type OfferOptions, offerOf } from "../prompt/offer.js";
import { promptWith } from "../prompt/render-prompt.js";
import type { Protocol } from "../protocol.js";
import { everyProtocol } from "../protocols/index.js";
import type {
  ChatMessage,
  InvalidToolCall,
  TextMessage,
  TextModelRequest,
  ToolChoice,
  ToolDefinition,
  ToolStyle,
} from "../types.js";
import type { AttemptEvents } from "./attempt-events.js";
import type { GenerateOptions } from "./generate-options.js";
import { orJson, type ReasoningOpener, reasoningOpener } from "./reasoning-opener.js";
import type { RawReply } from "./reply-reader.js";
import { failedTool, retryMessages, withNote } from "./retry.js";
import { guardingRequests, REQUEST_CLOSE } from "./selection/request-reader.js";
import { namesOf, type ShownTools } from "./selection/shown-tools.js";
import type { TurnPlan } from "./turn-plan.js";

/** What a turn asks of the model. It changes when tools are added, and for a retry. */
export class TurnPrompt {
  #asked: Asked;
  #pinned: string | undefined;

  /** `shown`: the shown tools, if not all are. Errors: those of `renderPrompt`. */
  constructor(
    private readonly plan: TurnPlan,
    private readonly shown: ShownTools | undefined,
  ) {
    this.#asked = render(plan, shown);
  }

  /** The tools that the model is shown. */
  get tools(): readonly ToolDefinition[] {
    return this.#asked.tools;
  }

  get escaper(): Escaper {
    return this.#asked.escaper;
  }

  get messages(): TextMessage[] {
    return this.#asked.messages;
  }

  /** Whether the model is shown text with broken markers. */
  get isEscaped(): boolean {
    return this.messages.some(({ content }) => hasBreaker(content));
  }

  /** The text that the model is asked to continue. */
  get prefill(): string | undefined {
    return this.#asked.prefill;
  }

  /** Set if the prefill ends with the beginning of a call (of this tool, if known). */
  get opening(): { protocol: Protocol; tool: string | undefined } | undefined {
    if (this.#asked.opening === undefined) return undefined;
    const { protocol, toolChoice } = this.plan;
    return { protocol, tool: this.#pinned ?? forcedTool(toolChoice, this.tools) };
  }

  /** Set if the next reply begins inside the reasoning, unless it continues the prefill. */
  get reasoning(): ReasoningOpener | undefined {
    const { options, protocol } = this.plan;
    if (!options.startWithReasoning || this.#asked.isFixed) return undefined;
    const opener = reasoningOpener(protocol);
    return options.answerSchema === undefined ? opener : orJson(opener);
  }

  /** The tool that the next reply must call, because the only call of the last one failed. */
  get pinned(): string | undefined {
    return this.#pinned;
  }

  get isConstrained(): boolean {
    return isConstraint(this.#asked.constraint);
  }

  /** Whether every reply should be constrained, but the format has no constraint that the model's server enforces. */
  get isUnconstrained(): boolean {
    const { options, offered, answerSchema, toolChoice } = this.plan;
    const { constraint = "off" } = options;
    const isAsked = constraint === "auto" || constraint === "required";
    const hasSubject = (offered.length > 0 && toolChoice !== "none") || answerSchema !== undefined;
    return isAsked && hasSubject && !this.isConstrained;
  }

  request(): TextModelRequest {
    const { signal, maxTokens, temperature, seed, fields } = this.plan.options;
    const { messages, stop, prefill, constraint } = this.#asked;
    // Field by field: a conditional spread takes ten times as long.
    const request: TextModelRequest = { messages };
    if (stop.length > 0) request.stop = stop;
    if (constraint.constraint) request.constraint = constraint.constraint;
    if (fields || constraint.fields) request.fields = { ...fields, ...constraint.fields };
    if (prefill !== undefined) request.prefill = prefill;
    if (signal) request.signal = signal;
    if (maxTokens !== undefined) request.maxTokens = maxTokens;
    if (temperature !== undefined) request.temperature = temperature;
    if (seed !== undefined) request.seed = seed;
    return request;
  }

  /** Asks again with the tools that were added. `note`: what else the model is told. */
  showAdded(note?: string): void {
    this.#asked = render(this.plan, this.shown);
    if (note !== undefined) this.#asked.messages = withNote(this.#asked.messages, note);
  }

  /**
   * Asks again after a reply that failed, with the hidden tools that it called wrongly. `answerFeedback`: what was wrong
   * with its answer.
   */
  retry(reply: RawReply, events: AttemptEvents, answerFeedback: string | undefined): void {
    const { plan } = this;
    const { options, protocol, toolChoice } = plan;
    const { invalid } = events;
    if (this.shown?.add(namesOf(invalid))) this.#asked = render(plan, this.shown);
    const asked = this.#asked;
    const { tools } = asked;
    const notice = events.met ? answerFeedback : toolChoiceNotice(toolChoice, protocol, tools);
    asked.messages = retryMessages(asked.messages, reply, invalid, notice);
    const pinned = failedTool(events, tools);
    this.#pinned = pinned;
    if (pinned !== undefined && options.prefill !== false) asked.opening = callOpening(protocol, tools, pinned);
    asked.prefill = asked.opening;
    const { constraint = "off" } = options;
    if (constraint !== "fallback" && (pinned === undefined || constraint === "off")) return;
    const choice = retryChoice(toolChoice, pinned, invalid);
    asked.constraint = retryConstraint(plan, tools, pinned, choice);
    asked.isFixed = isFixedBy(asked.constraint, choice, options);
    if (isConstraint(asked.constraint)) asked.prefill = undefined;
  }
}

/** One request, and what its reply is read with. */
interface Asked {
  readonly tools: readonly ToolDefinition[];
  readonly escaper: Escaper;
  readonly stop: string[];
  messages: TextMessage[];
  prefill: string | undefined;
  /** The beginning of a call, as a prefill. */
  opening: string | undefined;
  constraint: RequestConstraint;
  /** Whether the constraint begins with the reply, which leaves no room for reasoning. */
  isFixed: boolean;
}

function render(plan: TurnPlan, shown: ShownTools | undefined): Asked {
  const { options, toolChoice } = plan;
  const { constraint = "off" } = options;
  const tools = shown?.tools ?? plan.offered;
  const all = toolChoice === "none" ? options.tools : tools;
  const offer = offerOf(shown ? offerOfShown(plan, shown, all) : offerOfAll(plan, all));
  const prompt = promptWith(offer, {
    messages: shown ? withShown(shown, offer, options.style) : plan.messages,
    tools: all,
    prefill: options.prefill,
    transcript: options.transcript,
    constraint: constraint === "required" ? ("required" as const) : constraint === "auto",
    backend: options.backend,
    grammar: options.grammar,
  });
  // A constrained reply needs no prefill.
  const isForced = plan.needsCall && !isConstraint(prompt) && options.prefill !== false;
  const more = shown ? [REQUEST_CLOSE, ...(options.stop ?? [])] : options.stop;
  return {
    tools,
    escaper: offer.escaper,
    stop: more && more.length > 0 ? [...new Set([...prompt.stop, ...more])] : prompt.stop,
    messages: prompt.messages,
    prefill: prompt.prefill,
    opening: isForced ? offer.opening : undefined,
    constraint: plan.answerConstraint ?? prompt,
    isFixed: plan.answerConstraint !== undefined || isFixedBy(prompt, toolChoice, options),
  };
}

/** Without other protocols, only the markers of the prompted one are guarded. */
const NO_OTHERS: readonly Protocol[] = Object.freeze([]);

function offerOfAll({ options, protocol, toolChoice }: TurnPlan, tools: OfferOptions["tools"]): OfferOptions {
  const { markers, style, parallel } = options;
  const guard = options.accept === "own" ? NO_OTHERS : everyProtocol;
  return { tools, protocol, guard, markers, style, toolChoice, parallel };
}

/** Tools that are not shown can be called too. */
function offerOfShown(plan: TurnPlan, { listed }: ShownTools, tools: OfferOptions["tools"]): OfferOptions {
  const markers = guardingRequests(plan.options.markers);
  const callable = (plan.options.tools ?? []).map(({ name }) => name);
  return { ...offerOfAll(plan, tools), markers, listed, callable };
}

/** The messages, with the shown tools that the system message does not list. */
function withShown(shown: ShownTools, offer: Offer, style: ToolStyle = "native"): readonly ChatMessage[] {
  return shown.conversationWith({ style, section: (tools) => offer.sectionOn(tools) }, offer.escaper);
}

const isConstraint = ({ constraint, fields }: RequestConstraint) => constraint !== undefined || fields !== undefined;

/** Whether a constraint begins with the reply: it is a call, or JSON that can also express an answer. */
const isFixedBy = (constraint: RequestConstraint, choice: ToolChoice, { backend }: GenerateOptions) =>
  isConstraint(constraint) && (choice !== "auto" || !takesGrammar(backend));

/** What the reply after one that failed must call. */
function retryChoice(
  toolChoice: ToolChoice,
  pinned: string | undefined,
  invalid: readonly InvalidToolCall[],
): ToolChoice {
  if (pinned !== undefined) return { name: pinned };
  // The model tried to call one of the tools, so the next reply must be a call.
  const tried = toolChoice === "auto" && invalid.some(({ error }) => error.code !== "unknown-tool");
  return tried ? "required" : toolChoice;
}

/** The constraint of the reply after one that failed. */
function retryConstraint(
  { options, protocol, isParallel }: TurnPlan,
  tools: readonly ToolDefinition[],
  pinned: string | undefined,
  toolChoice: ToolChoice,
): RequestConstraint {
  if (tools.length === 0) return {};
  const parallel = isParallel && pinned === undefined;
  const { backend = "gbnf", grammar } = options;
  return constrainTo(backend, { tools, protocol, toolChoice, parallel, ...grammar }) ?? {};
}
