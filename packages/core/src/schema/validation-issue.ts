/** One way in which arguments do not match their schema. */
export interface ValidationIssue {
  /** The JSON pointer of the value, or of the place for a missing one. `""`: the arguments as a whole. */
  path: string;
  /** The violated keyword of JSON Schema. */
  keyword: string;
  /** In plain words: `expected integer, got string "abc"`. */
  message: string;
  /** The expected value: `integer`. */
  expected?: string;
  /** The violated part of the schema, as it was given. */
  schema?: unknown;
}
