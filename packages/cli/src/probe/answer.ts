import { generateWithTools, type ProtocolName, type TextModel } from "@toolingua/core";
import { EndpointError } from "@toolingua/endpoints";
import type { Server } from "../model-source/ask-server.js";
import { type Candidate, type Setting, targetOf } from "./candidates.js";
import { type Fault, judge } from "./judge.js";
import type { Question } from "./questions/question.js";
import { askServerTools } from "./server-tools.js";
import { writtenIn } from "./written-in.js";

/** How a question was answered. */
export interface Answer {
  right: boolean;
  /** What was wrong with it. */
  fault?: Fault | "invalid call" | "no answer" | "failed";
  /** Of `failed`: in words. */
  error?: string;
  /** Whether there is a call, and each is one of a tool there is with arguments that fit. */
  valid: boolean;
  /** The format that calls were written in, whatever was asked for. */
  wrote?: ProtocolName;
  tokensIn: number;
  tokensOut: number;
  /** The server did not say how many tokens: they are guessed. */
  estimated?: true;
  /** The reply was cut off at the token limit. */
  cut?: true;
  ms: number;
}

/** Who is asked, and how. */
export interface Subject {
  model: string;
  /** The model as text; of a server, its chat endpoint. */
  textModel: TextModel;
  /** Undefined: a model in this process. */
  server?: Server | undefined;
  setting: Setting;
  maxTokens: number;
  seed: number;
  /** Milliseconds that one answer may take. */
  timeout: number;
  /** The formats whose names go before others where a reply is in several. */
  preferred: readonly ProtocolName[];
}

/** Servers that go on from the beginning of a reply; the gateway has the same. */
const continues = new Set<Setting["backend"]>(["llama.cpp", "vllm", "sglang", "ollama", "embedded"]);

/**
 * Asks one question in one way, once: nothing is repaired or asked again, so that the format is judged and not the repair.
 *
 * Errors: those of the model, and `EndpointError` `timeout` for an answer that takes too long; the signal's reason.
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
  { held, fields }: Candidate,
  protocol: ProtocolName,
  { id, kind, content, tools, calls: expected }: Question,
  signal: AbortSignal,
): Promise<Unmeasured> {
  const { backend, style, toolChoice } = setting;
  const { toolCalls, invalidToolCalls, text, reasoning, raw, usage, finish } = await generateWithTools({
    model: textModel,
    messages: [{ role: "user", content }],
    ...{ tools, protocol, style, toolChoice, fields, signal, maxTokens, seed },
    constraint: held ? "auto" : "off",
    backend: targetOf(backend),
    prefill: continues.has(backend),
    temperature: 0,
    maxRetries: 0,
    onMissingCall: "surface",
  }).result();
  if (raw + reasoning === "" && (usage === undefined || usage.estimated))
    throw new EndpointError("bad-stream", "The answer is empty, and does not even say how many tokens it took.");
  // With a prefill the beginning of the call is not the model's own.
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
