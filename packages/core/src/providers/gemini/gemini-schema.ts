// Gemini's Schema, a subset of OpenAPI 3.0's: https://ai.google.dev/api/caching#Schema

export type GeminiType = "STRING" | "NUMBER" | "INTEGER" | "BOOLEAN" | "ARRAY" | "OBJECT" | "NULL";

/**
 * A schema in Gemini's format. `Type` is the type of its type names: strings in JSON, but an enum in the SDK, to which
 * TypeScript does not assign strings.
 */
export interface GeminiSchema<Type extends string = GeminiType> {
  type?: Type;
  title?: string;
  description?: string;
  nullable?: boolean;
  default?: unknown;
  example?: unknown;
  enum?: string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  /** Counts are 64-bit integers, which Google's JSON writes as strings. */
  minLength?: string;
  maxLength?: string;
  minItems?: string;
  maxItems?: string;
  minProperties?: string;
  maxProperties?: string;
  items?: GeminiSchema<Type>;
  properties?: Record<string, GeminiSchema<Type>>;
  required?: string[];
  anyOf?: GeminiSchema<Type>[];
}

/** The types of JSON Schema, as Gemini names them. */
export const geminiTypes: Record<string, GeminiType> = {
  string: "STRING",
  number: "NUMBER",
  integer: "INTEGER",
  boolean: "BOOLEAN",
  array: "ARRAY",
  object: "OBJECT",
  null: "NULL",
};

/** The formats that the API accepts, by type. */
export const formats: Record<string, readonly string[]> = {
  string: ["enum", "date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};

/** Keywords with numbers that are written as strings. */
export const counts = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"] as const;
/** The keywords that apply to values of one type. */
export const keywordsOf: Record<string, readonly string[]> = {
  string: ["enum", "const", "format", "pattern", "minLength", "maxLength"],
  number: ["enum", "const", "format", "minimum", "maximum"],
  integer: ["enum", "const", "format", "minimum", "maximum"],
  boolean: ["enum", "const"],
  array: ["items", "prefixItems", "minItems", "maxItems"],
  object: ["properties", "required", "minProperties", "maxProperties"],
};
