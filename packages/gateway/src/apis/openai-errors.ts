import type { Failure } from "../failure.js";

/** An error in the shape of OpenAI's APIs. */
export const openaiError = (failure: Failure): { error: object } => ({
  error: {
    message: failure.message,
    type: typeOf(failure),
    param: failure.param ?? null,
    code: failure.code ?? null,
  },
});

function typeOf({ kind }: Failure): string {
  switch (kind) {
    case "authentication":
      return "authentication_error";
    case "rate-limit":
      return "rate_limit_error";
    case "invalid":
    case "forbidden":
    case "not-found":
    case "too-large":
      return "invalid_request_error";
    default:
      return "server_error";
  }
}
