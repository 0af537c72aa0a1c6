import { ToolinguaError } from "@toolingua/core";
import { EndpointError } from "@toolingua/endpoints";
import type { Failure, FailureKind } from "../failure.js";

/** A failure in the log and on the admin page. */
export interface ErrorRecord {
  kind: FailureKind;
  code?: string;
  /** The field of the request that is wrong. */
  param?: string;
  /**
   * One of a fixed set of sentences, with stack positions of a failure in code; the address of an upstream that cannot be
   * reached; with `telemetry.content`, the failure's own
   * message.
   */
  message: string;
}

const sentences: Record<FailureKind, string> = {
  invalid: "The request is invalid.",
  authentication: "The key is missing or unknown.",
  forbidden: "The origin or the host name is not allowed.",
  "not-found": "There is no such model, response or path.",
  "too-large": "The request is too large.",
  "rate-limit": "There are too many requests.",
  internal: "The gateway failed.",
  upstream: "The upstream failed.",
  overloaded: "The upstream is overloaded.",
  timeout: "The upstream took too long.",
};

/** Matches identifiers, not sentences. */
const IDENTIFIER = /^[\w.-]{1,64}$/;
const PATH = /^[\w.$[\]/~-]{1,200}$/;

/**
 * The record of a failure. Its message may repeat text of a request, a reply or an upstream, so it is kept only with
 * `withContent`. The record of a failure in code, of the gateway itself or of a model that is given as a function, has its
 * stack.
 */
export function errorRecord({ kind, code, param, message, cause }: Failure, withContent: boolean): ErrorRecord {
  return {
    kind,
    ...(code !== undefined && { code }),
    ...(param !== undefined && PATH.test(param) && { param }),
    message: withContent ? spokenWords(kind, message, cause) : plainWords(kind, cause),
  };
}

function spokenWords(kind: FailureKind, message: string, cause: unknown): string {
  if (isInCode(kind, cause)) return cause.stack ?? cause.message;
  return isOfNetwork(cause) ? cause.message : message;
}

/**
 * Whether nothing of the upstream arrived: the message then has the configured address and words of this machine, and no
 * others.
 */
const isOfNetwork = (cause: unknown): cause is EndpointError =>
  cause instanceof EndpointError && (cause.code === "connect" || cause.code === "connect-timeout");

/** Whether code failed, and not a server. */
const isInCode = (kind: FailureKind, cause: unknown): cause is Error =>
  cause instanceof Error && (kind === "internal" || (kind === "upstream" && !(cause instanceof ToolinguaError)));

const HINT = "Its message may contain text of the request: `telemetry: { content: true }` shows it here.";

function plainWords(kind: FailureKind, cause: unknown): string {
  const sentence = sentences[kind];
  if (cause instanceof EndpointError) {
    if (cause.status !== undefined) return `The upstream answered with status ${cause.status}.`;
    return isOfNetwork(cause) ? cause.message : sentence;
  }
  if (!isInCode(kind, cause)) return sentence;
  const names = [cause.name, (cause as { code?: unknown }).code].filter(
    (name) => typeof name === "string" && IDENTIFIER.test(name),
  );
  const hint = cause.message === "" ? [] : [HINT];
  return [`${sentence} ${names.join(" ")}`.trim(), ...hint, ...framesOf(cause)].join("\n");
}

/** The frames of a stack, without the message at its start. */
function framesOf({ stack = "", message }: Error): string[] {
  const places =
    message !== "" && stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : stack;
  return places.split("\n").filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line));
}
