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
  const what = url ? `has the protocol ${url.protocol}, not http: or https:` : "is not a URL";
  throw new CliError("usage", `"${address}" ${what}. Give one such as http://localhost:8080.`);
}
