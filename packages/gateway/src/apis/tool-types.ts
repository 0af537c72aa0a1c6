import { isObject, misspeltSchemaKey } from "@toolingua/core/adapters";
import { ProviderFormatError } from "@toolingua/core/providers";

// A type that the provider formats do not know is that of a tool which a provider runs. It is ignored, and so are keys that
// an API does not have: a tool of the client in another shape, or its schema, would be ignored silently.

/** How tools of the client are written in an API. */
interface ToolShape {
  /** The whole, for messages. */
  readonly written: string;
  readonly type: "function" | "custom";
  /** Whether tools without a type are of this type. */
  readonly mayLackType?: boolean;
  /** The key of the object with the tool's name and schema, if it is not the tool itself. */
  readonly within?: "function";
  /** The key of the schema. */
  readonly key: "parameters" | "input_schema";
  /** Whether a tool needs a schema. */
  readonly needsSchema?: boolean;
}

const chat: ToolShape = {
  written: '{ type: "function", function: { name, description, parameters } }',
  type: "function",
  within: "function",
  key: "parameters",
};
const responses: ToolShape = {
  written: '{ type: "function", name, description, parameters }',
  type: "function",
  key: "parameters",
};
const messages: ToolShape = {
  written: "{ name, description, input_schema }",
  type: "custom",
  mayLackType: true,
  key: "input_schema",
  needsSchema: true,
};

/** Refuses tools of Chat Completions without a type, and the client's in another shape. Errors: `ProviderFormatError`. */
export const refuseChatTools = (tools: unknown): void => refuseOtherShapes(tools, chat);

/** Refuses functions of the deprecated form whose schema has a misspelt key. Errors: `ProviderFormatError`. */
export function refuseFunctions(functions: unknown): void {
  if (!Array.isArray(functions)) return;
  for (const [i, one] of functions.entries())
    if (isObject(one)) refuseMisspeltKey(one, "parameters", `/functions/${i}`, "{ name, description, parameters }");
}

/** Refuses tools of Responses like those of Chat Completions, also in a namespace. Errors: `ProviderFormatError`. */
export const refuseResponsesTools = (tools: unknown): void => refuseOtherShapes(tools, responses);

/** Refuses tools of Messages that are the client's in another shape. Errors: `ProviderFormatError`. */
export const refuseMessagesTools = (tools: unknown): void => refuseOtherShapes(tools, messages);

function refuseOtherShapes(tools: unknown, shape: ToolShape, path = "/tools"): void {
  if (!Array.isArray(tools)) return;
  for (const [i, tool] of tools.entries()) {
    // The provider formats refuse what is not an object.
    if (!isObject(tool)) continue;
    refuseOtherShape(tool, shape, `${path}/${i}`);
    if (shape === responses && tool.type === "namespace") refuseOtherShapes(tool.tools, shape, `${path}/${i}/tools`);
  }
}

function refuseOtherShape(
  tool: Record<string, unknown>,
  { written, type, mayLackType = false, within, key, needsSchema }: ToolShape,
  at: string,
) {
  const isOwn = tool.type === type || (mayLackType && tool.type == null);
  if (!isOwn && (typeof tool.type !== "string" || tool.type === "function" || hasSchema(tool)))
    throw new ProviderFormatError(`${at}/type`, `"${type}"${mayLackType ? ", or no type" : ""}: ${written}`, tool.type);
  const outer = within ?? key;
  if (isOwn && hasSchema(tool) && !isObject(tool[outer]))
    throw new ProviderFormatError(`${at}/${outer}`, `an object: ${written}`, tool[outer]);
  const fields = within ? tool[within] : tool;
  if (!isOwn || !isObject(fields)) return;
  refuseMisspeltKey(fields, key, within ? `${at}/${within}` : at, written);
  if (needsSchema && typeof tool.name === "string" && fields[key] == null)
    throw new ProviderFormatError(`${at}/${key}`, `a JSON Schema, an object: ${written}`, fields[key]);
}

/** Refuses a tool whose schema is under a misspelt key: it would be ignored. */
function refuseMisspeltKey(tool: Record<string, unknown>, key: string, at: string, written: string): void {
  const misspelt = tool[key] == null && misspeltSchemaKey(tool, [key]);
  if (!misspelt) return;
  const expected = `the schema, which is under "${misspelt.key}": ${written}`;
  throw new ProviderFormatError(`${at}/${key}`, expected, tool[key]);
}

/** Whether a tool has a schema in the shape of any API, or of MCP. `parameters` without a name are a provider's settings. */
const hasSchema = (tool: Record<string, unknown>) =>
  [tool.function, tool.input_schema, tool.inputSchema].some(isObject) ||
  (typeof tool.name === "string" && isObject(tool.parameters));
