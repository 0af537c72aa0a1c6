import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  type Tool as ListedTool,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import {
  explainInvalidArguments,
  type JsonSchema,
  normalizeTools,
  type Tool,
  ToolDefinitionError,
  toJsonSchema,
  validateValue,
} from "@toolingua/core";
import { withObjectProperties } from "./properties.js";

/** What a server says of itself. */
export interface McpServerInfo {
  name: string;
  version: string;
  /** What a model should know to use the tools well. */
  instructions?: string | undefined;
}

/** The tools that are served: a list, or a function that gives those there are now. */
export type ServedTools = readonly Tool[] | (() => readonly Tool[]);

/** What a tool may say beyond core's `Tool`, as those of `@toolingua/tools` and of `connectMcp` do. */
interface Described {
  title?: string;
  annotations?: ListedTool["annotations"];
  resultSchema?: unknown;
}

/**
 * Tools as an MCP server of the SDK, which is then connected to a transport. {@link serveStdio} and {@link createMcpHandler}
 * do both.
 *
 * Arguments are checked by the tool's schema before it is called. What a tool throws or gives back as an `Error`, and
 * arguments or results that do not fit, are results with `isError`. A result that is an object is structured content, and text as
 * well; where the tool has a `resultSchema` for an object, that is its `outputSchema`. Everything else is text.
 *
 * Errors: `ToolDefinitionError` for tools that cannot be offered (its codes in the core, and `missing-execute`).
 *
 * @example
 * await createMcpServer([add], { name: "sums", version: "1.0.0" }).connect(new StdioServerTransport());
 */
export function createMcpServer(tools: ServedTools, { name, version, instructions }: McpServerInfo): Server {
  const list = () => (typeof tools === "function" ? tools() : tools);
  const listings = () => {
    const all = list();
    const listing = all.map(listed);
    // As one list: two may have the same name.
    normalizeTools(all);
    return listing;
  };
  listings();
  const server = new Server(
    { name, version },
    { capabilities: { tools: { listChanged: true } }, ...(instructions !== undefined && { instructions }) },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listings() }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, requestId, sessionId }) => {
    const tool = list().find((one) => one.name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    const toolCallId = sessionId === undefined ? String(requestId) : `${sessionId}/${requestId}`;
    return await callTool(tool, params.arguments ?? {}, { toolCallId, signal });
  });
  return server;
}

const known = new WeakMap<Tool, ListedTool>();

/** How the tool is listed; worked out once for each tool. */
function listed(tool: Tool): ListedTool {
  const before = known.get(tool);
  if (before) return before;
  const { name, description, parameters } = normalizeTools([tool])[0]!;
  if (typeof tool.execute !== "function") {
    throw new ToolDefinitionError("missing-execute", name, `The tool ${JSON.stringify(name)} has no \`execute\`.`);
  }
  const { title, annotations } = tool as Described;
  const outputSchema = outputSchemaOf(tool);
  const listing: ListedTool = {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: withObjectProperties({ ...(parameters as object), type: "object" }),
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
  };
  known.set(tool, listing);
  return listing;
}

/** MCP's structured content is an object, so only the schema of one can be said. */
function outputSchemaOf(tool: Tool): ListedTool["outputSchema"] {
  const { resultSchema } = tool as Described;
  if (resultSchema === undefined) return undefined;
  try {
    // What the schema gives, not what it takes: a transform may stand between.
    const output = (resultSchema as StandardSchema)["~standard"]?.jsonSchema?.output;
    const schema = output ? output({ target: "draft-2020-12" }) : toJsonSchema(resultSchema);
    const isObject = typeof schema === "object" && schema !== null && (schema as { type?: unknown }).type === "object";
    return isObject ? withObjectProperties(schema as ListedTool["outputSchema"]) : undefined;
  } catch {
    // One that JSON Schema cannot say is not needed: the result is checked by the tool.
    return undefined;
  }
}

/** The part of Standard JSON Schema (https://standardschema.dev/json-schema) that is used. */
interface StandardSchema {
  "~standard"?: { jsonSchema?: { output?: (options: { target: string }) => unknown } };
}

async function callTool(
  tool: Tool,
  args: Record<string, unknown>,
  context: { toolCallId: string; signal: AbortSignal },
): Promise<CallToolResult> {
  const issues = validateValue(args, tool.parameters);
  if (issues.length > 0) {
    const { name, parameters: schema } = tool;
    return failure(explainInvalidArguments({ name, arguments: args, issues, schema }).feedback);
  }
  try {
    const result = await tool.execute(args, context);
    if (result instanceof Error) return failure(result.message || result.name);
    return success(result, listed(tool));
  } catch (error) {
    return failure(error instanceof Error ? error.message || error.name : String(error));
  }
}

const failure = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

function success(result: unknown, { name, outputSchema }: ListedTool): CallToolResult {
  if (typeof result === "string" && !outputSchema) return { content: [{ type: "text", text: result }] };
  // As it will be sent: without what JSON has not, and with what `toJSON` gives.
  const text = JSON.stringify(result) ?? "";
  const value: unknown = text === "" ? undefined : JSON.parse(text);
  // A client that checks throws away what does not fit.
  const issues = outputSchema ? validateValue(value, outputSchema as JsonSchema) : [];
  if (issues.length > 0) {
    const found = issues.map(({ path, message }) => [path, message].filter(Boolean).join(" ")).join("; ");
    return failure(`The tool "${name}" gave a result that breaks its own schema (${found}): ${text}`);
  }
  const content: CallToolResult["content"] = [{ type: "text", text }];
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? { content, structuredContent: value as Record<string, unknown> } : { content };
}
