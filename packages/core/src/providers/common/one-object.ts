import { isObject } from "../../common/plain-object.js";
import { type JsonObject, join, printJson } from "../../schema/json.js";
import { requiredOf } from "../../schema/required.js";
import { resolve } from "../../schema/resolve.js";
import { plainTypesOf } from "../../schema/schema-types.js";
import type { Losses } from "./losses.js";

/**
 * Keywords that providers refuse at the root of a tool's parameters ("input_schema does not support oneOf, allOf, or
 * anyOf at the top level"; https://platform.openai.com/docs/guides/structured-outputs, "Root objects must not be
 * anyOf").
 */
const refusedAtRoot = ["anyOf", "oneOf", "allOf", "not", "enum"];

/**
 * Converts parameters that are a union to one object with the properties of all branches; those that every branch
 * requires are required. Any other schema is returned unchanged.
 */
export function oneObject(schema: JsonObject, path: string, losses: Losses): JsonObject {
  const node = resolve(schema, schema);
  if (!refusedAtRoot.some((key) => key in schema || key in node)) return schema;
  const beside = Object.fromEntries(Object.entries(node).filter(([key]) => !refusedAtRoot.includes(key)));
  const { properties, required } = new Shapes(schema).of(schema) ?? nothing;
  const whole: JsonObject = {
    ...beside,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
  const changed = Object.keys({ ...schema, ...whole }).filter(
    (key) => printJson(schema[key]) !== printJson(whole[key]),
  );
  const isGone = (key: string) => key === "$ref" || refusedAtRoot.includes(key);
  const instead = changed.filter((key) => !isGone(key)).map((key) => join(path, key));
  const why = "the parameters became one object with the properties of all branches";
  for (const key of changed.filter(isGone)) losses.add(join(path, key), key, why, instead);
  return whole;
}

/** The allowed and the required properties of an object. */
interface Shape {
  properties: JsonObject;
  required: readonly string[];
}
const nothing: Shape = { properties: {}, required: [] };

class Shapes {
  /** The shapes by schema; a recursive schema adds nothing. */
  private readonly known = new Map<object, Shape | undefined>();

  constructor(private readonly root: JsonObject) {}

  /** The shape of a schema; undefined if no object matches. */
  of(schema: unknown): Shape | undefined {
    if (!isObject(schema)) return schema === false ? undefined : nothing;
    if (this.known.has(schema)) return this.known.get(schema);
    this.known.set(schema, nothing);
    const shape = this.make(resolve(schema, this.root));
    this.known.set(schema, shape);
    return shape;
  }

  private make(node: JsonObject): Shape | undefined {
    const types = plainTypesOf(node);
    if (types && !types.includes("object") && !types.includes("any")) return undefined;
    const own: Shape = { properties: isObject(node.properties) ? node.properties : {}, required: requiredOf(node) };
    return [node.anyOf, node.oneOf].reduce<Shape>((shape, branches) => {
      const chosen = either(list(branches).flatMap((branch) => this.of(branch) ?? []));
      return {
        // If both define a property, the schema outside the branches takes precedence.
        properties: { ...chosen.properties, ...shape.properties },
        required: [...new Set([...shape.required, ...chosen.required])],
      };
    }, own);
  }
}

/** The union of allowed, and the intersection of required properties. */
function either(shapes: readonly Shape[]): Shape {
  const found = new Map<string, Map<string, unknown>>();
  for (const [key, part] of shapes.flatMap(({ properties }) => Object.entries(properties))) {
    found.set(key, (found.get(key) ?? new Map<string, unknown>()).set(printJson(part), part));
  }
  const named = [...found].map(([key, parts]) => {
    const [only, ...others] = parts.values();
    return [key, others.length > 0 ? { anyOf: [only, ...others] } : only] as const;
  });
  const required = (shapes[0]?.required ?? []).filter((key) => shapes.every((shape) => shape.required.includes(key)));
  return { properties: Object.fromEntries(named), required };
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
