/** A JSON Schema under construction. */
export type Schema = { [keyword: string]: unknown };
