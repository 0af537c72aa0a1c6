import { SchemaError, ToolDefinitionError } from "@toolingua/core";
import { isObject } from "@toolingua/core/adapters";
import { placeAt } from "../place.js";

/** A request's body, and where its API has the schema of an answer: each place as its keys, the first that is there counts. */
export interface AskedBody {
  body: unknown;
  answerSchemas: readonly (readonly string[])[];
}

/**
 * The place in a request's body of the tool or schema that an error is about; undefined where the body has none of that name.
 *
 * @example
 * const tools = [{ type: "function", function: { name: "add", parameters: { type: "objct" } } }];
 * const error = new ToolDefinitionError("invalid-schema", "add", "…");
 * schemaPlace({ body: { tools }, answerSchemas: [] }, error); // "tools[0].function.parameters"
 */
export function schemaPlace({ body, answerSchemas }: AskedBody, error: unknown): string | undefined {
  if (error instanceof ToolDefinitionError) return toolPlace(body, error);
  if (!(error instanceof SchemaError)) return undefined;
  const steps = answerSchemas.find((keys) => keys.reduce(ownPart, body) !== undefined);
  return steps && placeAt(`/${steps.join("/")}${error.path ?? ""}`);
}

const ownPart = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

function toolPlace(body: unknown, { tool, code, path = "" }: ToolDefinitionError): string | undefined {
  const named = [...toolsIn(ownPart(body, "tools"), "/tools"), ...toolsIn(ownPart(body, "functions"), "/functions")];
  const isUnnamed = code === "missing-name";
  const isTwice = code === "duplicate-name";
  const isMeant = ({ name }: NamedTool) => (isUnnamed ? isBlank(name) : name === tool);
  const found = named.filter(isMeant).at(isTwice ? -1 : 0);
  if (!found) return undefined;
  const { at, key } = found;
  return placeAt(isUnnamed || isTwice ? `${at}/name` : key === undefined ? at : `${at}/${key}${path}`);
}

/** Tools of the provider, such as its search of the web, have no name. */
const isBlank = (name: unknown) => typeof name === "string" && name.trim() === "";

interface NamedTool {
  name: unknown;
  /** A JSON pointer to the object with the name. */
  at: string;
  /** The key of its schema. */
  key: string | undefined;
}

/** The tools of a list, also those in a namespace. */
function toolsIn(list: unknown, path: string): NamedTool[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((tool: unknown, i) => {
    const at = `${path}/${i}`;
    for (const key of ["function", "custom"]) {
      const within = ownPart(tool, key);
      if (isObject(within)) return [named(within, `${at}/${key}`)];
    }
    return isObject(tool) ? [named(tool, at), ...toolsIn(tool.tools, `${at}/tools`)] : [];
  });
}

const named = (tool: Record<string, unknown>, at: string): NamedTool => ({
  name: tool.name,
  at,
  key: ["parameters", "input_schema"].find((key) => tool[key] != null),
});
