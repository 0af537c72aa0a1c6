import { CliError } from "../terminal/errors.js";

/**
 * The URL of an address, which may lack `http://`.
 *
 * Errors: `CliError` `usage` if it is none of http or https.
 *
 * @example urlOf("127.0.0.1:8080").href; // "http://127.0.0.1:8080/"
 */
export function urlOf(address: string): URL {
  const whole = /^[a-z]+:\/\//i.test(address) ? address : `http://${address}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new CliError("usage", `"${address}" is not a URL. Give one such as http://localhost:8080.`);
}
