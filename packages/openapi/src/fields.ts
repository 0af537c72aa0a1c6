/** Any JSON object. */
export type Fields = Record<string, unknown>;
