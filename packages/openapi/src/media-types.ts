/** Whether the media type is JSON: `application/json`, `application/problem+json`. */
export const isJson = (mediaType: string): boolean => /[/+]json\b/i.test(mediaType);

/** Whether the media type is JSON Lines (https://jsonlines.org). */
export const isJsonLines = (mediaType: string): boolean =>
  /^application\/(x-ndjson|jsonl|x-jsonlines)\b/i.test(mediaType);

/** Whether the media type is a range that includes JSON. */
export const isRange = (mediaType: string): boolean => /^(\*|application\/\*)/.test(mediaType);

/** Whether the media type is a URL-encoded form. */
export const isUrlEncoded = (mediaType: string): boolean => /^application\/x-www-form-urlencoded/i.test(mediaType);

/** Whether the media type is a form of several parts. */
export const isMultipart = (mediaType: string) => /^multipart\//i.test(mediaType);

/** Whether the media type is text without a syntax of its own. */
const isPlainText = (mediaType: string) => /^text\/(plain|\*)/i.test(mediaType);

/**
 * The order of preference for a body that may have several media types: JSON, then forms, then text, then types that may be
 * JSON.
 */
export const PREFERRED: readonly ((mediaType: string) => boolean)[] = [
  (type) => /^application\/json\s*(;|$)/i.test(type),
  // A model writes it as the object itself, not as a list of changes.
  (type) => /^application\/merge-patch\+json\b/i.test(type),
  isJson,
  isJsonLines,
  isUrlEncoded,
  (type) => /^multipart\/form-data/i.test(type),
  isPlainText,
  isRange,
];

/** Whether an object or a list can be written in the media type; in plain text as JSON. */
export const holdsObjects = (mediaType: string): boolean =>
  isJson(mediaType) ||
  isJsonLines(mediaType) ||
  isRange(mediaType) ||
  isUrlEncoded(mediaType) ||
  isMultipart(mediaType) ||
  isPlainText(mediaType);
