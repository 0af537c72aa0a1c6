import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  type Tool as ListedTool,
  ListToolsRequestSchema,
  McpError,
  type ServerNotification,
  type ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";
import {
  type AnyTool,
  explainInvalidArguments,
  normalizeTools,
  type Tool,
  type ToolDefinition,
  ToolDefinitionError,
  toJsonSchema,
  validateValue,
} from "@toolingua/core";
import { callResult, failure } from "./call-result.js";
import { clientAccess, LogLevel, MCP_CLIENT, type McpClientAccess } from "./client-access.js";
import { Completers } from "./completers.js";
import { wholeResultOf } from "./mcp-tool.js";
import { withObjectProperties } from "./properties.js";
import { checkServerInfo } from "./served-options.js";
import { addPrompts, type ServedPrompt } from "./served-prompts.js";
import { addResources, type ServedResource } from "./served-resources.js";

/** What a server says of itself. */
export interface McpServerInfo {
  name: string;
  version: string;
  /** What a model should know to use the tools well. */
  instructions?: string | undefined;
  /** What clients may read. */
  resources?: readonly ServedResource[] | undefined;
  /** Messages that users may begin with. */
  prompts?: readonly ServedPrompt[] | undefined;
}

/** What a tool may say beyond core's `Tool`, as those of `@toolingua/tools` and of `connectMcp` do. */
interface Described {
  readonly title?: string | undefined;
  readonly annotations?: ListedTool["annotations"];
  readonly resultSchema?: unknown;
}

/** A tool that is served, in any shape that `normalizeTools` takes, with the function that runs it. */
export type ServedTool = AnyTool & Omit<Tool, keyof ToolDefinition> & Described;

/** The tools that are served: a list, or a function that gives those there are now. */
export type ServedTools = readonly ServedTool[] | (() => readonly ServedTool[]);

/**
 * Tools as an MCP server of the SDK, which is then connected to a transport. {@link serveStdio} and {@link createMcpHandler}
 * do both.
 *
 * Arguments are checked by the tool's schema before it is called. What a tool throws or gives back as an `Error`, and
 * arguments or results that do not fit, are results with `isError`. A result that is an object is structured content, and text as
 * well; where the tool has a `resultSchema` for an object, that is its `outputSchema`. A list of content blocks of MCP, such as
 * `{ type: "image", data, mimeType }` with bytes or base64, is the content. Everything else is text. What a tool may ask the
 * client, {@link clientOf} gives.
 *
 * Errors: `ToolDefinitionError` for tools that cannot be offered (its codes in the core, and `missing-execute`); `OptionsError`
 * (`bad-option`) for what `info` cannot be.
 *
 * @example
 * await createMcpServer([add], { name: "sums", version: "1.0.0" }).connect(new StdioServerTransport());
 */
export function createMcpServer(tools: ServedTools, info: McpServerInfo): Server {
  checkServerInfo(info);
  const { name, version, instructions, resources, prompts } = info;
  const list = () => (typeof tools === "function" ? tools() : tools);
  const listings = () => {
    const all = list();
    const served = all.map(servedTool);
    // As one list: two may have the same name.
    normalizeTools(all);
    return served.map(({ listing }) => listing);
  };
  listings();
  const server = new Server(
    { name, version },
    {
      capabilities: {
        tools: { listChanged: true },
        logging: {},
        ...(resources && { resources: { listChanged: true } }),
        ...(prompts && { prompts: {} }),
        ...((resources ?? prompts) && { completions: {} }),
      },
      ...(instructions !== undefined && { instructions }),
    },
  );
  const logLevel = new LogLevel();
  logLevel.addTo(server);
  const completers = new Completers();
  if (resources) addResources(server, resources, completers);
  if (prompts) addPrompts(server, prompts, completers);
  if (resources ?? prompts) completers.addTo(server);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listings() }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = list().find((one) => nameOf(one) === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    return await callTool(servedTool(tool), params.arguments ?? {}, extra, clientAccess(server, logLevel, extra));
  });
  return server;
}

/** A tool, how it is listed, and what its calls are checked by, whatever its own shape. */
interface Served {
  tool: ServedTool;
  definition: ToolDefinition;
  listing: ListedTool;
}

const nameOf = (tool: ServedTool): string => ("function" in tool ? tool.function.name : tool.name);

const known = new WeakMap<ServedTool, Served>();

/** What is served of a tool; worked out once for each. */
function servedTool(tool: ServedTool): Served {
  const before = known.get(tool);
  if (before) return before;
  const definition = normalizeTools([tool])[0]!;
  const { name, description, parameters } = definition;
  if (typeof tool.execute !== "function") {
    throw new ToolDefinitionError("missing-execute", name, `The tool ${JSON.stringify(name)} has no \`execute\`.`);
  }
  const { title, annotations } = tool;
  const outputSchema = outputSchemaOf(tool);
  const listing: ListedTool = {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: withObjectProperties({ ...(parameters as object), type: "object" }),
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
  };
  const served = { tool, definition, listing };
  known.set(tool, served);
  return served;
}

/** MCP's structured content is an object, so only the schema of one can be said. */
function outputSchemaOf({ resultSchema }: ServedTool): ListedTool["outputSchema"] {
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

/** What the SDK tells a handler of the request. */
type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

async function callTool(
  { tool, definition, listing }: Served,
  args: Record<string, unknown>,
  { signal, requestId, sessionId }: Extra,
  client: McpClientAccess,
): Promise<CallToolResult> {
  const { name, parameters: schema } = definition;
  const issues = validateValue(args, schema);
  if (issues.length > 0) {
    return failure(explainInvalidArguments({ name, arguments: args, issues, schema }).feedback);
  }
  const toolCallId = sessionId === undefined ? String(requestId) : `${sessionId}/${requestId}`;
  const context = { toolCallId, signal, [MCP_CLIENT]: client };
  try {
    // What comes from another server goes on as it came: pictures, structured content and all.
    const whole = wholeResultOf(tool);
    if (whole) return await whole(args, context);
    const result = await tool.execute(args, context);
    if (result instanceof Error) return failure(result.message || result.name);
    return callResult(result, listing);
  } catch (error) {
    return failure(error instanceof Error ? error.message || error.name : String(error));
  }
}
