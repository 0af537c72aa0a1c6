import { EndpointError } from "@toolingua/endpoints";
import type { Failure, FailureKind } from "../failure.js";

/** A failure as the log and the admin page have it. */
export interface ErrorRecord {
  kind: FailureKind;
  code?: string;
  /** Which field of the request is wrong. */
  param?: string;
  /** One of a few sentences; with `telemetry.content` the words of the failure itself. */
  message: string;
}

const sentences: Record<FailureKind, string> = {
  invalid: "The request cannot be answered as it is.",
  authentication: "There is no key, or one that is not known.",
  forbidden: "The page or the name that asks is not allowed.",
  "not-found": "There is no such model, response or path.",
  "too-large": "The request is too large.",
  "rate-limit": "There are too many requests.",
  internal: "The gateway failed.",
  upstream: "The upstream failed.",
  overloaded: "The upstream is overloaded.",
  timeout: "The upstream took too long.",
};

/** What can be no sentence. */
const IDENTIFIER = /^[\w.-]{1,64}$/;
const PATH = /^[\w.$[\]/~-]{1,200}$/;

/**
 * What is kept of a failure. Its words may repeat those of a request, a reply or an upstream: they are kept only with
 * `withContent`. A failure of the gateway itself has its stack.
 */
export function errorRecord({ kind, code, param, message, cause }: Failure, withContent: boolean): ErrorRecord {
  return {
    kind,
    ...(code !== undefined && { code }),
    ...(param !== undefined && PATH.test(param) && { param }),
    message: withContent ? spokenWords(kind, message, cause) : plainWords(kind, cause),
  };
}

const spokenWords = (kind: FailureKind, message: string, cause: unknown) =>
  kind === "internal" && cause instanceof Error ? (cause.stack ?? cause.message) : message;

function plainWords(kind: FailureKind, cause: unknown): string {
  const sentence = sentences[kind];
  if (cause instanceof EndpointError) {
    return cause.status === undefined ? sentence : `The upstream answered with status ${cause.status}.`;
  }
  if (kind !== "internal" || !(cause instanceof Error)) return sentence;
  const names = [cause.name, (cause as { code?: unknown }).code].filter(
    (name) => typeof name === "string" && IDENTIFIER.test(name),
  );
  return [`${sentence} ${names.join(" ")}`.trim(), ...framesOf(cause)].join("\n");
}

/** The places in a stack, without the message that stands before them. */
function framesOf({ stack = "", message }: Error): string[] {
  const places =
    message !== "" && stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : stack;
  return places.split("\n").filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line));
}
