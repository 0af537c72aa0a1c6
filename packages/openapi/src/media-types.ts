/** Whether it is written as JSON: `application/json`, `application/problem+json`. */
export const isJson = (mediaType: string): boolean => /[/+]json\b/i.test(mediaType);

/** Whether it is a list with an item on each line (https://jsonlines.org). */
export const isJsonLines = (mediaType: string): boolean =>
  /^application\/(x-ndjson|jsonl|x-jsonlines)\b/i.test(mediaType);

/** Whether it leaves open what is written, so that it may be JSON. */
export const isRange = (mediaType: string): boolean => /^(\*|application\/\*)/.test(mediaType);

const FORMS_AND_TEXT = /^(application\/x-www-form-urlencoded|multipart\/|text\/(plain|\*))/i;

/** Whether an object or a list can be written in it; in plain text it is JSON. */
export const holdsObjects = (mediaType: string): boolean =>
  isJson(mediaType) || isJsonLines(mediaType) || isRange(mediaType) || FORMS_AND_TEXT.test(mediaType);
