/**
 * The URL of an address, which may lack `http://`. Throws if the address is invalid.
 *
 * @example urlOf("127.0.0.1:8080").href; // "http://127.0.0.1:8080/"
 */
export function urlOf(address: string): URL {
  const url = new URL(/^[a-z]+:\/\//i.test(address) ? address : `http://${address}`);
  if (url.protocol === "http:" || url.protocol === "https:") return url;
  throw new TypeError(`Not an http or https URL: ${address}`);
}
