import { OptionsError, ProtocolError, ToolinguaError } from "@toolingua/core";
import { clip, describeValue, jsonObject, serverMessage } from "@toolingua/core/adapters";
import { ProviderFormatError } from "@toolingua/core/providers";
import { EndpointError, type EndpointErrorCode } from "@toolingua/endpoints";
import { type AskedBody, schemaPlace } from "./apis/schema-place.js";
import { placeAt } from "./place.js";

/** The kind of a request's failure. Each API writes it in its own terms. */
export type FailureKind =
  | "invalid"
  | "authentication"
  | "forbidden"
  | "not-found"
  | "too-large"
  | "rate-limit"
  | "internal"
  | "upstream"
  | "overloaded"
  | "timeout";

const statuses: Record<FailureKind, number> = {
  invalid: 400,
  authentication: 401,
  forbidden: 403,
  "not-found": 404,
  "too-large": 413,
  "rate-limit": 429,
  internal: 500,
  upstream: 502,
  overloaded: 503,
  timeout: 504,
};

interface FailureDetails {
  /** A machine-readable code, such as `context_length_exceeded`. */
  code?: string | undefined;
  /** The field of the request that is wrong. */
  param?: string | undefined;
  /** Milliseconds to wait before the next request. */
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** A failed request. Every API writes its errors from this. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly status: number;
  readonly code: string | undefined;
  readonly param: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(kind: FailureKind, message: string, { code, param, retryAfterMs, cause }: FailureDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.status = statuses[kind];
    this.code = code;
    this.param = param;
    this.retryAfterMs = retryAfterMs;
  }

  /** The wait in whole seconds, as HTTP's header `retry-after` has it. */
  get retryAfterSeconds(): number | undefined {
    return this.retryAfterMs === undefined ? undefined : Math.ceil(this.retryAfterMs / 1000);
  }
}

/**
 * Converts any error to a failure. A request for something that the gateway cannot do is the client's error
 * (`invalid`). A failure of the upstream keeps the upstream's message. Anything else is `internal`, without details for
 * the client. `asked`: the body of the request, in which a wrong tool or schema has its place.
 */
export function failureOf(error: unknown, asked?: AskedBody): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof EndpointError) return ofUpstream(error);
  // These errors concern the gateway's own options.
  const isOurs = error instanceof OptionsError || error instanceof ProtocolError;
  if (error instanceof ToolinguaError && !isOurs) {
    if (error instanceof ProviderFormatError) return ofShape(error);
    return new Failure("invalid", error.message, {
      code: error.code.replaceAll("-", "_"),
      param: asked && schemaPlace(asked, error),
      cause: error,
    });
  }
  return new Failure("internal", "The gateway failed. See its log.", { code: "internal_error", cause: error });
}

/** A part of a request that its provider format cannot read. */
function ofShape(error: ProviderFormatError): Failure {
  const { path, expected, value } = error;
  // Where words are expected, these begin with a quotation mark.
  const isWord = typeof value === "string" && expected.startsWith('"');
  return wrongValue(placeAt(path), `must be ${expected}`, value, isWord ? "invalid_value" : "invalid_type", error);
}

/**
 * The failure of a request for a value that is missing, or is not what it must be. `param`: its place, empty for the
 * whole body. `code`: of a value that is there.
 *
 * @example wrongValue("n", "must be a number", "x", "invalid_type").message; // `n` must be a number, not "x".
 */
export function wrongValue(param: string, mustBe: string, value: unknown, code: string, cause?: unknown): Failure {
  const what = param === "" ? "The body" : `\`${param}\``;
  const isMissing = value === undefined;
  const message = isMissing ? `${what} is missing: it ${mustBe}.` : `${what} ${mustBe}, not ${describeValue(value)}.`;
  return new Failure("invalid", message, {
    code: isMissing ? "missing_required_parameter" : code,
    param: param === "" ? undefined : param,
    cause,
  });
}

function ofUpstream(error: EndpointError): Failure {
  const { code, retryAfterMs } = error;
  const { message, code: said, status = error.status ?? 0 } = words(error);
  const ownWords = ofNetwork[code];
  const details = {
    code: said ?? (isTooLong(message) ? "context_length_exceeded" : `upstream_${code.replaceAll("-", "_")}`),
    retryAfterMs,
    cause: error,
  };
  if (ownWords !== undefined) return new Failure(code === "connect" ? "upstream" : "timeout", ownWords, details);
  if (code === "unsupported" || code === "api-key") return new Failure("internal", message, details);
  if (code !== "http" && isTooLong(message)) return new Failure("invalid", message, details);
  return new Failure(kindsByStatus[status] ?? "upstream", message, details);
}

/** What clients learn of failures of the network: not the upstream's address, and the names of the gateway's own options. */
const ofNetwork: Readonly<Partial<Record<EndpointErrorCode, string>>> = {
  connect: "The upstream cannot be reached.",
  "connect-timeout": "The upstream could not be reached in time (`limits.connectTimeout`).",
  "idle-timeout": "The upstream sent nothing for too long (`limits.idleTimeout`).",
  timeout: "The answer was not complete in time (`limits.timeout`).",
};

/** Statuses of an upstream that are passed on. */
const kindsByStatus: Readonly<Record<number, FailureKind>> = {
  400: "invalid",
  413: "too-large",
  422: "invalid",
  429: "rate-limit",
  503: "overloaded",
  529: "overloaded",
};

/** Matches the messages of servers for a prompt that is too long. Codex acts on OpenAI's code for it. */
const isTooLong = (message: string) =>
  /context.{0,20}(?:length|window|size)|maximum.{0,20}context|prompt is too long|too many tokens|n_ctx/i.test(message);

/** Matches a code, not a sentence: codes are labels of metrics. */
const CODE = /^[a-z0-9_.-]{1,64}$/i;

/** Our own message, which begins with the address of the upstream: that is no concern of clients. */
const withoutAddress = (message: string) =>
  message.replace(/^https?:\/\/\S+/, "The upstream").replace(/\bhttps?:\/\/[^\s"'`()]+/g, "the upstream");

/** The most characters of an upstream's message. */
const MAX_WORDS = 500;

/**
 * The upstream's own message and code; our message if the upstream sent none. An error in a stream, or in an answer with
 * the status 200, has its status as a number in `code`: OpenRouter, vLLM and llama.cpp write it so.
 */
function words({ body = "", message, status }: EndpointError): { message: string; code?: string; status?: number } {
  const answer = jsonObject(body);
  const { code } = Object(answer?.error) as { code?: unknown };
  const said = serverMessage(answer);
  return {
    message: said === undefined ? withoutAddress(message) : clip(said, MAX_WORDS),
    ...(typeof code === "string" && CODE.test(code) && { code }),
    ...(typeof code === "number" && status === undefined && { status: code }),
  };
}
