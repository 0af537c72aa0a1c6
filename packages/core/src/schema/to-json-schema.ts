import { describeValue } from "../common/describe-value.js";
import { oncePer } from "../common/once-per.js";
import { isPlainObject, ownValue } from "../common/plain-object.js";
import type { JsonSchema } from "../types.js";
import { SchemaError } from "./errors.js";
import type { JsonObject } from "./json.js";
import { dateText, isZod3, zod3ToJsonSchema } from "./zod3.js";

/** A schema as an application gives it: JSON Schema, or one of a library that {@link toJsonSchema} takes, such as zod's. */
export type SchemaInput = JsonSchema | object;

/** The part of Standard JSON Schema (https://standardschema.dev/json-schema) that is used here. */
interface StandardProps {
  vendor?: unknown;
  jsonSchema?: { input?: (options: { target: string; libraryOptions?: JsonObject }) => unknown };
}

/**
 * The JSON Schema of the input that a schema accepts (so a property with a default is not required).
 *
 * Accepts plain JSON Schema, which is returned as it is (the same object); zod 4 (from 4.2 on) and every other library
 * with Standard JSON Schema on its schemas (`~standard.jsonSchema`: ArkType, Valibot through `toStandardJsonSchema`,
 * …); zod 3; the AI SDK's `jsonSchema()`. The result is cached by schema object.
 *
 * Errors: {@link SchemaError} with the codes listed there; the message suggests a remedy.
 *
 * @example
 * toJsonSchema(z.object({ city: z.string() })); // { type: "object", properties: { city: { type: "string" } }, required: ["city"] }
 */
export function toJsonSchema(schema: unknown): JsonSchema {
  if (typeof schema === "boolean") return schema;
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null || Array.isArray(schema)) {
    throw unknown(`A schema is an object, not ${describeValue(schema)}.`);
  }
  return convert(schema);
}

/** Marks the schemas of the AI SDK. Source: `schema.ts` of @ai-sdk/provider-utils. */
const AI_SDK = Symbol.for("vercel.ai.schema");

const convert = oncePer((schema: object): JsonSchema => {
  if (AI_SDK in schema) return fromAiSdk(schema);
  if (isZod3(schema)) return zod3ToJsonSchema(schema);
  if (!isPlain(schema)) return fromStandard(schema);
  const fields = Object.values(schema);
  if (
    fields.length > 0 &&
    fields.every((field) => typeof field === "object" && field !== null && "~standard" in field)
  ) {
    throw unknown("This is an object of schemas, not a schema. Wrap it: z.object({ … }).");
  }
  return schema as JsonObject;
});

/**
 * Whether a schema is plain data. (The result of zod's own `toJSONSchema` has a hidden `~standard`, and is JSON Schema
 * too.)
 */
function isPlain(schema: object): boolean {
  if ("_zod" in schema || !isPlainObject(schema)) return false;
  return !("~standard" in schema) || Object.getOwnPropertyDescriptor(schema, "~standard")?.enumerable === false;
}

function fromAiSdk(schema: object): JsonSchema {
  const { jsonSchema } = schema as { jsonSchema?: unknown };
  if (isPlainObject(jsonSchema)) return jsonSchema as JsonObject;
  throw new SchemaError("unconvertible", "This schema of the AI SDK is a promise. Pass `await schema.jsonSchema`.");
}

function fromStandard(schema: object): JsonSchema {
  const standard = (schema as { "~standard"?: StandardProps })["~standard"];
  if (standard === undefined)
    throw unknown("This is neither JSON Schema nor a schema of a library with Standard Schema.");
  const input = standard.jsonSchema?.input;
  if (typeof input !== "function") throw unconvertible(standard.vendor);
  const libraryOptions = standard.vendor === "zod" ? zodOptions : undefined;
  const failures: unknown[] = [];
  for (const target of ["draft-2020-12", "draft-07"]) {
    try {
      const { $schema, ...converted } = input(libraryOptions ? { target, libraryOptions } : { target }) as JsonObject;
      return converted;
    } catch (error) {
      failures.push(error);
    }
  }
  throw new SchemaError(
    "unrepresentable",
    `${vendorName(standard.vendor)} cannot write this schema as JSON Schema: ${reason(failures[0])}`,
    {
      cause: failures[0],
    },
  );
}

/** Options for zod. `z.coerce.date()` and `z.coerce.bigint()` accept JSON, although zod refuses to convert them. */
const zodOptions = {
  unrepresentable: "any",
  override({ zodSchema, jsonSchema }: { zodSchema: { _zod: { def: JsonObject } }; jsonSchema: JsonObject }) {
    const { type, coerce } = zodSchema._zod.def;
    // The range of JavaScript's safe integers is not a property of the tool.
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (!unrepresentable.has(String(type))) return;
    if (coerce === true && type === "date") Object.assign(jsonSchema, dateText);
    else if (coerce === true && type === "bigint") jsonSchema.type = "integer";
    else throw new Error(`z.${type}() has no JSON form`);
  },
};

const unrepresentable = new Set(["bigint", "symbol", "void", "date", "map", "set", "nan", "function"]);

function unconvertible(vendor: unknown): SchemaError {
  const remedies: Record<string, string> = {
    zod: "Use zod 4.2 or later (not zod/mini), or pass z.toJSONSchema(schema, { io: 'input' }).",
    valibot: "Pass toStandardJsonSchema(schema) of @valibot/to-json-schema.",
  };
  const remedy = ownValue(remedies, String(vendor)) ?? "Pass its JSON Schema.";
  return new SchemaError("unconvertible", `${vendorName(vendor)} offers no JSON Schema. ${remedy}`);
}

const vendorName = (vendor: unknown) => (typeof vendor === "string" ? `The library ${vendor}` : "The schema's library");
const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));

const unknown = (what: string) =>
  new SchemaError("unknown-schema", `${what} Give JSON Schema, a zod schema, or one with Standard JSON Schema.`);
