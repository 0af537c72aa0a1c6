/**
 * The TypeScript type of a JSON Schema that is a literal in the source (`{ type: "object", properties: … }`). Parts
 * that TypeScript cannot express, or that are known only at run time, are `unknown`. `Filled`: whether properties with
 * a default are always present, or may be left out.
 *
 * @example FromJsonSchema<{ type: "array"; items: { type: "integer" } }> // number[]
 */
export type FromJsonSchema<S, Filled extends boolean = true> = S extends { nullable: true }
  ? ValueOf<S, Filled> | null
  : ValueOf<S, Filled>;

type ValueOf<S, Filled extends boolean> = S extends { const: infer C }
  ? C
  : S extends { enum: readonly (infer E)[] }
    ? E
    : S extends { anyOf: readonly (infer B)[] } | { oneOf: readonly (infer B)[] }
      ? Beside<S, Filled> & FromJsonSchema<B, false>
      : S extends { type: readonly (infer T)[] }
        ? OfType<T, S, Filled>
        : S extends { type: infer T }
          ? OfType<T, S, Filled>
          : S extends { properties: unknown }
            ? ObjectOf<S, Filled>
            : unknown;

/** Keywords next to `anyOf` always apply. No branch is known to match, so defaults in branches are not filled in. */
type Beside<S, Filled extends boolean> = S extends { properties: unknown } ? ObjectOf<S, Filled> : unknown;

/** Distributes over `T`, so that `["string", "null"]` is `string | null`. */
type OfType<T, S, Filled extends boolean> = T extends "string"
  ? string
  : T extends "number" | "integer"
    ? number
    : T extends "boolean"
      ? boolean
      : T extends "null"
        ? null
        : T extends "array"
          ? S extends { prefixItems: unknown }
            ? unknown[]
            : S extends { items: infer I }
              ? FromJsonSchema<I, Filled>[]
              : unknown[]
          : T extends "object"
            ? ObjectOf<S, Filled>
            : unknown;

type ObjectOf<S, Filled extends boolean> = S extends { properties: infer P }
  ? Flat<
      { -readonly [K in Present<S, P, Filled>]: FromJsonSchema<P[K], Filled> } & {
        -readonly [K in Exclude<keyof P, Present<S, P, Filled>>]?: FromJsonSchema<P[K], Filled>;
      }
    >
  : Record<string, unknown>;

/** Required properties, and those with a default, which is filled in. */
type Present<S, P, Filled> =
  | (S extends { required: readonly (infer K)[] } ? Extract<keyof P, K> : never)
  | (Filled extends true ? { [K in keyof P]: P[K] extends { default: unknown } ? K : never }[keyof P] : never);

/** An object type written out, which editors show more readably; unlike an interface, it is a `Record<string, unknown>`. */
export type Flat<T> = { [K in keyof T]: T[K] };
