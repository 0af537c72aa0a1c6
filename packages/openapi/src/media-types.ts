/** Whether the media type is JSON: `application/json`, `application/problem+json`. */
export const isJson = (mediaType: string): boolean => /[/+]json\b/i.test(mediaType);

/** Whether the media type is JSON Lines (https://jsonlines.org). */
export const isJsonLines = (mediaType: string): boolean =>
  /^application\/(x-ndjson|jsonl|x-jsonlines)\b/i.test(mediaType);

/** Whether the media type is a range that includes JSON. */
export const isRange = (mediaType: string): boolean => /^(\*|application\/\*)/.test(mediaType);

const FORMS_AND_TEXT = /^(application\/x-www-form-urlencoded|multipart\/|text\/(plain|\*))/i;

/** Whether an object or a list can be written in the media type; in plain text as JSON. */
export const holdsObjects = (mediaType: string): boolean =>
  isJson(mediaType) || isJsonLines(mediaType) || isRange(mediaType) || FORMS_AND_TEXT.test(mediaType);
