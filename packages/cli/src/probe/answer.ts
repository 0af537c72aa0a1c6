import { generateWithTools, type ProtocolName, type TextModel } from "@toolingua/core";
import { EndpointError } from "@toolingua/endpoints";
import type { Server } from "../model-source/ask-server.js";
import { type Candidate, type Setting, turnOptionsOf } from "./candidates.js";
import { type Fault, judge } from "./judge.js";
import type { Question } from "./questions/question.js";
import { askServerTools } from "./server-tools.js";
import { writtenIn } from "./written-in.js";

/** The answer to a question. */
export interface Answer {
  right: boolean;
  /** What is wrong with it. */
  fault?: Fault | "invalid call" | "no answer" | "failed";
  /** The error message, for `failed`. */
  error?: string;
  /** Whether there is a call, and each one names an existing tool and has arguments that match its schema. */
  valid: boolean;
  /** The format in which the model wrote its calls, whatever it was asked for. */
  wrote?: ProtocolName;
  tokensIn: number;
  tokensOut: number;
  /** The server reported no token counts: they are estimated. */
  estimated?: true;
  /** The token limit truncated the reply. */
  cut?: true;
  ms: number;
}

/** The model under test. */
export interface Subject {
  model: string;
  /** The model as text; for a server, its chat endpoint. */
  textModel: TextModel;
  /** Undefined: the model runs in this process. */
  server?: Server | undefined;
  setting: Setting;
  maxTokens: number;
  seed: number;
  /** The time limit of an answer, in ms. */
  timeout: number;
  /** The formats that are preferred if a reply matches several. */
  preferred: readonly ProtocolName[];
}

/**
 * Asks one question in one format, once, without repairs or retries, because the format is measured and not the repair.
 *
 * Errors: those of the model, and `EndpointError` `timeout` for a slow answer; the signal's reason.
 */
export async function answerOf(
  subject: Subject,
  candidate: Candidate,
  question: Question,
  signal: AbortSignal,
): Promise<Answer> {
  const late = AbortSignal.timeout(subject.timeout);
  const either = AbortSignal.any([signal, late]);
  const started = performance.now();
  try {
    const answer = candidate.protocol
      ? await byProtocol(subject, candidate, candidate.protocol, question, either)
      : await byServerTools(subject, question, either);
    return { ...answer, ms: Math.round(performance.now() - started) };
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted)
      throw new EndpointError("timeout", `No answer within ${subject.timeout / 1000} s (--timeout).`, { cause: error });
    throw error;
  }
}

type Unmeasured = Omit<Answer, "ms">;

async function byProtocol(
  { textModel, setting, maxTokens, seed, preferred }: Subject,
  { constrained }: Candidate,
  protocol: ProtocolName,
  { id, kind, content, tools, calls: expected }: Question,
  signal: AbortSignal,
): Promise<Unmeasured> {
  const { backend, style, toolChoice } = setting;
  const { toolCalls, invalidToolCalls, text, reasoning, raw, usage, finish } = await generateWithTools({
    model: textModel,
    messages: [{ role: "user", content }],
    ...{ tools, protocol, style, toolChoice, signal, maxTokens, seed },
    constraint: constrained ? "auto" : "off",
    ...turnOptionsOf(backend),
    temperature: 0,
    maxInvalidCallRetries: 0,
    onMissingCall: "surface",
  }).result();
  if (raw + reasoning === "" && (usage === undefined || usage.estimated))
    throw new EndpointError("bad-stream", "The answer is empty and has no token count.");
  // With a prefill, the model did not write the beginning of the call itself.
  const wrote =
    toolChoice === "auto"
      ? writtenIn(raw, { tools, calls: toolCalls, preferred: [protocol, ...preferred] })
      : undefined;
  return {
    ...verdict({ id, kind, content, tools, calls: expected }, toolCalls, invalidToolCalls.length === 0, text),
    ...(wrote && { wrote }),
    tokensIn: usage?.inputTokens ?? 0,
    tokensOut: usage?.outputTokens ?? 0,
    ...((usage === undefined || usage.estimated) && { estimated: true }),
    ...(finish === "length" && { cut: true }),
  };
}

async function byServerTools(
  { server, model, setting, maxTokens, seed }: Subject,
  question: Question,
  signal: AbortSignal,
): Promise<Unmeasured> {
  if (!server) throw new EndpointError("unsupported", "A model in this process has no tools of its own.");
  const { content, tools } = question;
  const request = { model, content, tools, toolChoice: setting.toolChoice, maxTokens, seed, signal };
  const { calls, valid, text, tokensIn, tokensOut, cut } = await askServerTools(server, request);
  return {
    ...verdict(question, calls, valid, text),
    ...{ tokensIn, tokensOut },
    ...(tokensIn === 0 && { estimated: true }),
    ...(cut && { cut: true }),
  };
}

function verdict(
  question: Question,
  calls: Parameters<typeof judge>[1],
  allValid: boolean,
  text: string,
): Pick<Answer, "right" | "fault" | "valid"> {
  const fault = allValid ? judge(question, calls) : question.calls.length > 0 ? "invalid call" : "needless call";
  const silent = fault === undefined && calls.length === 0 && text.trim() === "";
  const valid = allValid && calls.length > 0;
  if (silent) return { right: false, fault: "no answer", valid };
  return fault === undefined ? { right: true, valid } : { right: false, fault, valid };
}
