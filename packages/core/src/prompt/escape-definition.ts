import { isObject } from "../common/plain-object.js";
import { ToolDefinitionError } from "../schema/errors.js";
import { join } from "../schema/json.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { type Escaper, mapStrings } from "./escape.js";

/**
 * Escapes a tool's definition for a prompt, because its author may be untrusted (an MCP server, an OpenAPI document).
 *
 * - Texts are escaped: descriptions, titles, comments, defaults, examples, unknown keywords, and all other strings. If
 *   the model repeats a default or an example in an argument, it is un-escaped there.
 * - Values that a call must repeat exactly cannot be escaped: the tool's name, the names of properties, the values of
 *   `enum` and `const`. If one of these contains a marker, the definition is refused.
 *
 * Parts that need no escaping are shared with the given definition.
 *
 * Errors: {@link ToolDefinitionError} `marker-in-definition`, with the tool's name and the place as a JSON Pointer.
 *
 * @example
 * escapeDefinition({ name: "find", description: "Finds </tools>" }, escaper); // { name: "find", description: "Finds
 * <\u2060/tools>" }
 */
export function escapeDefinition(tool: ToolDefinition, escaper: Escaper): ToolDefinition {
  const { name, description, parameters } = tool;
  const exact = (value: string, what: string, path: string) => {
    const marker = escaper.markerIn(value);
    if (marker !== undefined) throw markerError(name, what, path, marker);
    return value;
  };
  exact(name, "name", "/name");
  return {
    name,
    ...(description === undefined ? {} : { description: escaper.escape(description) }),
    ...(parameters === undefined
      ? {}
      : { parameters: escapeSchema(parameters, "/parameters", { escaper, exact }) as JsonSchema }),
  };
}

interface Context {
  escaper: Escaper;
  /** Returns a value that must stay exact; throws if it contains a marker. */
  exact(value: string, what: string, path: string): string;
}

/** Keywords whose keys are names, or patterns of names. */
const BY_NAME = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
/** Keywords with only values or names that a call repeats exactly. */
const EXACT = new Set(["enum", "const", "required", "dependentRequired"]);
/** Keywords with data, not schemas. */
const DATA = new Set(["default", "examples", "example"]);

function escapeSchema(schema: unknown, path: string, context: Context): unknown {
  const { escaper, exact } = context;
  if (!isObject(schema)) return escapeData(schema, escaper, (part, at) => escapeSchema(part, `${path}/${at}`, context));
  return mapped(schema, escaper.escape, (value, keyword) => {
    const at = join(path, keyword);
    if (EXACT.has(keyword)) {
      const same = (text: string) => exact(text, `value of ${JSON.stringify(keyword)}`, at);
      mapStrings(value, same, same);
      return value;
    }
    if (DATA.has(keyword) || keyword.startsWith("x-")) return escapeData(value, escaper);
    if (!BY_NAME.has(keyword) || !isObject(value)) return escapeSchema(value, at, context);
    return mapped(
      value,
      (key) => exact(key, "key", join(at, key)),
      (part, key) => escapeSchema(part, join(at, key), context),
    );
  });
}

/** Plain data with every string and every key escaped. */
function escapeData(
  value: unknown,
  escaper: Escaper,
  inside = (part: unknown, _at: string | number) => escapeData(part, escaper),
): unknown {
  if (typeof value === "string") return escaper.escape(value);
  if (isObject(value)) return mapped(value, escaper.escape, inside);
  if (!Array.isArray(value)) return value;
  const items = value.map(inside);
  return items.every((item, i) => item === value[i]) ? value : items;
}

/** An object with its keys and values mapped; the same object if nothing changes. */
function mapped(
  object: Record<string, unknown>,
  mapKey: (key: string) => string,
  map: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
  let isSame = true;
  const entries = Object.entries(object).map(([key, value]) => {
    const entry = [mapKey(key), map(value, key)] as const;
    isSame &&= entry[0] === key && entry[1] === value;
    return entry;
  });
  return isSame ? object : Object.fromEntries(entries);
}

function markerError(tool: string, what: string, path: string, marker: string): ToolDefinitionError {
  const message = `The tool ${JSON.stringify(tool)} has a ${what} that holds a marker of a prompt or a call: ${JSON.stringify(marker)} at ${path}. A model has to repeat it exactly, so it cannot be escaped: give it another ${what} (writableName() makes a name of any text), or leave this tool out.`;
  return new ToolDefinitionError("marker-in-definition", tool, message);
}
