import type { Failure, FailureKind } from "../failure.js";

const types: Record<FailureKind, string> = {
  invalid: "invalid_request_error",
  authentication: "authentication_error",
  forbidden: "permission_error",
  "not-found": "not_found_error",
  "too-large": "request_too_large",
  "rate-limit": "rate_limit_error",
  internal: "api_error",
  upstream: "api_error",
  overloaded: "overloaded_error",
  timeout: "timeout_error",
};

/** An error in the shape of Anthropic's API. */
export const anthropicError = ({ kind, message }: Failure, requestId: string): object => ({
  type: "error",
  error: { type: types[kind], message },
  request_id: requestId,
});
