import type { FinishReason, InvalidToolCall, ReplyEvent, TextModelRequest, Usage } from "../types.js";
import type { SelectionSummary } from "./selection/shown-tools.js";
import type { TextReason } from "./why/why-text.js";

/** The events of a turn, for debugging. Times are in milliseconds. */
export type TraceEvent =
  /**
   * The model is asked. `attempt`: 1, and 1 more for each retry. `isUnconstrained`: the `constraint` of the turn does not
   * apply, because the model's server enforces none for this protocol.
   */
  | {
      type: "request";
      attempt: number;
      protocol: string;
      request: TextModelRequest;
      isUnconstrained?: true | undefined;
    }
  /** An event of the reply, as soon as it is parsed; a retry may still discard it. */
  | { type: "event"; attempt: number; event: ReplyEvent }
  /**
   * The reply has ended. `text`: parts that look like calls but are text, with reasons; computed on access. `firstMs`:
   * time to its first event.
   */
  | {
      type: "reply";
      attempt: number;
      raw: string;
      prefill: string;
      finish?: FinishReason | undefined;
      usage?: Usage | undefined;
      ms: number;
      firstMs?: number | undefined;
      readonly text: TextReason[];
    }
  /**
   * The model is asked again, because of these calls, because a call that was required is missing, or because of what the
   * `feedback` says about its answer.
   */
  | {
      type: "retry";
      attempt: number;
      calls: InvalidToolCall[];
      missingCall: boolean;
      tool?: string | undefined;
      feedback?: string | undefined;
    }
  | { type: "end"; attempts: number; ms: number; usage?: Usage | undefined; selection?: SelectionSummary | undefined }
  | { type: "error"; error: unknown; ms: number };

/** Receives the events of a turn. */
export type TraceListener = (event: TraceEvent) => void;

/**
 * The listener of a turn: `onTrace`, and the console if the environment variable `TOOLINGUA_DEBUG` is set. It never throws: an
 * error of `onTrace` is printed with `console.error`, and the turn continues.
 */
export function traceListener(onTrace: TraceListener | undefined): TraceListener | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const debug = process?.env?.TOOLINGUA_DEBUG;
  const logs = debug !== undefined && debug !== "" && debug !== "0";
  if (!logs && !onTrace) return undefined;
  return (event) => {
    if (logs) logTrace(event);
    try {
      onTrace?.(event);
    } catch (error) {
      console.error(`[toolingua] \`onTrace\` threw at the event "${event.type}":`, error);
    }
  };
}

/** Writes to standard error in Node.js, because standard output may belong to a protocol (MCP, JSON). */
function logTrace(event: TraceEvent): void {
  const text = lineOf(event);
  if (text !== undefined) console.error(text.replace(STEERING, escaped).replace(/^/gm, "[toolingua] "));
}

/** Control characters, and those that change the direction of writing: a reply must not steer the terminal. */
const STEERING = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

const rounded = (ms: number) => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;
const tokens = (usage: Usage | undefined) => (usage ? `, ${usage.inputTokens} + ${usage.outputTokens} tokens` : "");

function lineOf(event: TraceEvent): string | undefined {
  switch (event.type) {
    case "request": {
      const { messages, prefill, stop, constraint, fields } = event.request;
      return [
        `request ${event.attempt} (${event.protocol})`,
        ...messages.map(({ role, content }) => `--- ${role}\n${content}`),
        ...(prefill === undefined ? [] : [`--- prefill\n${prefill}`]),
        `--- stop ${JSON.stringify(stop ?? [])}${constraint || fields ? ", constrained" : ""}`,
        ...(event.isUnconstrained
          ? [`--- not constrained: the server enforces no constraint for ${event.protocol}`]
          : []),
      ].join("\n");
    }
    case "event":
      // The whole reply shows text and arguments.
      return event.event.type === "call-end" || event.event.type === "call-invalid" || event.event.type === "dropped"
        ? `event ${JSON.stringify(event.event)}`
        : undefined;
    case "reply": {
      const finish = event.finish ? `, finish: ${event.finish}` : "";
      const reasons = event.text.map(({ text, reason }) => `--- text, not a call: ${reason}\n${text}`);
      const head = `reply ${event.attempt}, ${rounded(event.ms)}${tokens(event.usage)}${finish}`;
      return [head, event.prefill + event.raw, ...reasons].join("\n");
    }
    case "retry": {
      const why = event.calls.map(({ error }) => `--- ${error.code}: ${error.message}`);
      const pinned = event.tool === undefined ? "" : `, for a call of ${event.tool}`;
      const missing = event.missingCall ? ["--- a required call is missing"] : [];
      const feedback = event.feedback === undefined ? [] : [`--- ${event.feedback}`];
      return [`asked again${pinned}`, ...missing, ...why, ...feedback].join("\n");
    }
    case "end":
      return `end after ${event.attempts} attempt(s), ${rounded(event.ms)}${tokens(event.usage)}`;
    case "error":
      return `error after ${rounded(event.ms)}: ${String(event.error)}`;
  }
}
