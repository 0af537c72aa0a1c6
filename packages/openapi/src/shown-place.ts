import { fileURLToPath } from "node:url";

/**
 * A place as errors show it: the path of a file as users write it, or a URL {@link withoutSecrets}.
 *
 * Errors: those of `fileURLToPath`.
 *
 * @example shownPlace("file:///My%20API/api.json"); // "/My API/api.json"
 */
export const shownPlace = (place: string): string =>
  place.startsWith("file:") ? fileURLToPath(place) : withoutSecrets(place);

/**
 * A URL or a reference without what may be secret: its query, and its name and password. It need not be valid.
 *
 * @example withoutSecrets("https://me:pass@example.com/api.json?token=abc#/paths"); // "https://example.com/api.json#/paths"
 */
export const withoutSecrets = (url: string): string =>
  url.replace(/\?[^#]*/, "").replace(/^([a-z]*:?\/\/)[^/#]*@/i, "$1");
