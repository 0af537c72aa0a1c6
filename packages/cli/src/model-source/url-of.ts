import { CliError } from "../terminal/errors.js";

/**
 * The URL of an address, which may lack `http://`.
 *
 * Errors, which do not show a password: `CliError` `usage` if it is none of http or https, or contains a name or a password,
 * which `fetch` refuses.
 *
 * @example urlOf("127.0.0.1:8080").href; // "http://127.0.0.1:8080/"
 */
export function urlOf(address: string): URL {
  const whole = /^[a-z]+:\/\//i.test(address) ? address : `http://${address}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url && url.username + url.password !== "")
    throw new CliError("usage", "The address contains a name or a password: give a key with its own option instead.");
  if (url && /^https?:$/.test(url.protocol)) return url;
  const port = /^[a-z]+:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(whole)?.[1];
  const noUrl = Number(port) > 65_535 ? `has the port ${port}, above 65535` : "is not a URL";
  const what = url ? `has the protocol ${url.protocol}, not http: or https:` : noUrl;
  throw new CliError("usage", `"${shownAddress(address)}" ${what}. Give one such as http://localhost:8080.`);
}

/**
 * The error of an address that `fetch` did not connect to, in `words`, because of its port
 * (https://fetch.spec.whatwg.org/#port-blocking); `undefined` if these words say something else.
 *
 * @example refusedPort(new URL("http://localhost:6000"), "bad port")?.code; // "usage"
 */
export function refusedPort({ origin, port }: URL, words: string): CliError | undefined {
  if (words !== "bad port") return undefined;
  const why = `Node.js, like browsers, connects to no port of another protocol, as ${port} is`;
  return new CliError(
    "usage",
    `${origin} cannot be reached: ${why}. Let the server listen on another port, such as 8080.`,
  );
}

/**
 * An address without what comes before its last `@`, where a password may be, also if it is not a URL.
 *
 * @example shownAddress("http://ann:secret@host:port"); // "http://…@host:port"
 */
export const shownAddress = (address: string): string => address.replace(/^([a-z]+:\/\/)?.*@/is, "$1…@");
