/** Any JSON object. */
export type Fields = Record<string, unknown>;

/** Those of the fields that are strings. */
export const texts = <Key extends string>(from: Fields, ...keys: Key[]) =>
  Object.fromEntries(keys.flatMap((key) => (typeof from[key] === "string" ? [[key, from[key]]] : []))) as {
    [K in Key]?: string;
  };
