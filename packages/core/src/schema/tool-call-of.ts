import type { ToolCall } from "../types.js";
import type { Flat, FromJsonSchema } from "./from-json-schema.js";
import type { AnyTool } from "./tool-shapes.js";

/**
 * The arguments that a caller passes for the schema `S`, a JSON Schema or one of zod, the AI SDK or another library: those with
 * a default may be left out. What cannot be inferred is `Record<string, unknown>`.
 *
 * @example InputOf<{ type: "object"; properties: { city: { type: "string" } }; required: ["city"] }> // { city: string }
 */
export type InputOf<S> = OrUnknownKeys<
  S extends { "~standard": { types?: infer T } }
    ? NonNullable<T> extends { input: infer I }
      ? I
      : unknown
    : Written<S>
>;

/** A value of a JSON Schema, which fills in no defaults, also if it is one of the AI SDK. */
type Written<S> = S extends { _type: infer T; jsonSchema: unknown } ? T : FromJsonSchema<S, false>;

/**
 * A value as the schema `S` reads it: one of a library, with defaults and transforms; JSON Schema leaves it as it is. What
 * cannot be inferred is `unknown`.
 *
 * @example
 * const answer = z.object({ n: z.number().default(3) });
 * type Answer = OutputOf<typeof answer>; // { n: number }
 */
export type OutputOf<S> = S extends { "~standard": { types?: infer T } }
  ? NonNullable<T> extends { output: infer O }
    ? O
    : unknown
  : Written<S>;

/**
 * The arguments that a function receives after the schema `S` read the call: of a library, with defaults and transforms; of a
 * JSON Schema, those of the call.
 */
export type ReadBy<S> = OrUnknownKeys<OutputOf<S>>;

type OrUnknownKeys<A> = unknown extends A ? Record<string, unknown> : A;

/**
 * A call of one of the tools `T`, of any shape that `normalizeTools` accepts: a union by `name`, in which `arguments`
 * follow the tool's schema. Where names or schemas are not literals, it is {@link ToolCall}.
 *
 * @example
 * type City = { type: "object"; properties: { city: { type: "string" } }; required: ["city"] };
 * type Call = ToolCallOf<{ name: "weather"; parameters: City }>;
 * // ToolCall<"weather", { city: string }>
 */
export type ToolCallOf<T> = [T] extends [never] ? ToolCall : AnyTool extends T ? ToolCall : CallOf<T>;

type CallOf<T> = T extends { function: infer F }
  ? CallOf<F>
  : T extends { name: infer N extends string }
    ? // Flat: an interface has no index signature, and a call must be a `ToolCall`.
      ToolCall<N, Flat<InputOf<SchemaOf<T>>>>
    : ToolCall;

/** The keys are those of `readTool`, in its order. */
type SchemaOf<T> = T extends { parameters: infer S }
  ? S
  : T extends { input_schema: infer S }
    ? S
    : T extends { inputSchema: infer S }
      ? S
      : T extends { schema: infer S }
        ? S
        : unknown;
