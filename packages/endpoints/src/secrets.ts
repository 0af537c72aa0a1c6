import { EndpointError } from "./errors.js";

/** A value shorter than this is no secret, and would be found in any text. */
const SHORTEST = 4;

/** What says how a secret is given is none. */
const SCHEME = /^(?:bearer|basic|token|digest)$/i;

/** Keeps keys out of errors: servers like to repeat the key that they refuse. */
export class Secrets {
  readonly #values: string[];

  /** `query`: that of the address. All of its values are secrets: its names say little of which are. */
  constructor(key: string | undefined, headers: Readonly<Record<string, string>> = {}, query?: URLSearchParams) {
    const secret = Object.entries(headers).filter(([name]) => /auth|key|token|secret|cookie|password/i.test(name));
    const asked = [...(query?.values() ?? [])].flatMap((value) => [value, encodeURIComponent(value)]);
    const values = [key ?? "", ...asked, ...secret.flatMap(([, value]) => [value, ...value.split(/\s+/)])];
    // The longest first: one may hold another.
    this.#values = values
      .filter((value) => value.length >= SHORTEST && !SCHEME.test(value))
      .sort((a, b) => b.length - a.length);
  }

  /** The text without them. */
  hide(text: string): string {
    return this.#values.reduce((hidden, value) => hidden.replaceAll(value, "***"), text);
  }

  /** The error without them. */
  hideIn(error: EndpointError): EndpointError {
    const { code, message, status, body, retryAfter, cause, partialText } = error;
    const words = body === undefined ? undefined : this.hide(body);
    return new EndpointError(code, this.hide(message), { status, body: words, retryAfter, cause, partialText });
  }
}
