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
  ToolAnnotationsSchema,
} from "@modelcontextprotocol/sdk/types.js";
import {
  type AnyTool,
  explainInvalidArguments,
  normalizeTools,
  OptionsError,
  type Tool,
  type ToolDefinition,
  ToolDefinitionError,
  type ToolExecutionContext,
  toJsonSchema,
  validateValue,
} from "@toolingua/core";
import {
  closeResult,
  MAX_TIMER,
  messageOf,
  oncePer,
  type ToolList,
  toolsIn,
  untilAborted,
  wrongResult,
} from "@toolingua/core/adapters";
import { callResult, failure } from "./call-result.js";
import { clientAccess, LogLevel, MCP_CLIENT, type McpClientAccess } from "./client-access.js";
import { Completers } from "./completers.js";
import { wholeResultOf } from "./mcp-tool.js";
import { withObjectProperties } from "./properties.js";
import { checkServerInfo, type McpServerInfo } from "./served-options.js";
import { addPrompts } from "./served-prompts.js";
import { addResources } from "./served-resources.js";

/** Fields of a tool beyond core's `Tool`, as those of `@toolingua/tools` and of `connectMcp` have. */
interface Described {
  readonly title?: string | undefined;
  readonly annotations?: ListedTool["annotations"];
  readonly resultSchema?: unknown;
}

/** A served tool, in any shape that `normalizeTools` accepts, with the function that runs it. */
export type ServedTool = AnyTool & Omit<Tool, keyof ToolDefinition> & Described;

/** A list of tools, or an object that lists them: a `ToolSpec` of `@toolingua/tools`, the tools of `connectMcp`. */
type ServedList = readonly ServedTool[] | ToolList;

/** The served tools, or a function that returns the current ones. */
export type ServedTools = ServedList | (() => ServedList);

/**
 * Creates an MCP server of the SDK for tools. Connect it to a transport, or use {@link serveStdio} or {@link
 * createMcpHandler}, which do both.
 *
 * Arguments are checked against the tool's schema before the call. Errors that a tool throws or returns, and arguments
 * or results that do not match, become results with `isError`. An object as a result is structured content, and text as
 * well; a `resultSchema` for an object is the tool's `outputSchema`. A list of MCP content blocks, such as `{ type:
 * "image", data, mimeType }` with bytes or base64, is the content. All other results are text. {@link clientOf} returns
 * the client, which a tool can send requests to.
 *
 * Errors: `ToolDefinitionError` for invalid tools (the core's codes, and `missing-execute`); `OptionsError`
 * (`bad-option`) for an invalid `info`, `title` or `annotations`.
 *
 * @example
 * await createMcpServer([add], { name: "sums", version: "1.0.0" }).connect(new StdioServerTransport());
 */
export function createMcpServer(tools: ServedTools, info: McpServerInfo): Server {
  checkServerInfo(info);
  const { name, version, instructions, resources, prompts } = info;
  const list = () => toolsIn((typeof tools === "function" ? tools() : tools) as ToolList) as readonly ServedTool[];
  const listings = () => {
    const all = list();
    const served = Array.isArray(all) ? all.map((tool: ServedTool) => servedTool(tool)) : [];
    // Checked as one list, because two tools may have the same name, or there may be no list.
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

/** A tool, its entry in the list, and the checks of its calls. */
interface Served {
  tool: ServedTool;
  definition: ToolDefinition;
  listing: ListedTool;
}

const nameOf = (tool: ServedTool): string => ("function" in tool ? tool.function.name : tool.name);

/** Prepares a tool to be served; once for each. */
const servedTool = oncePer((tool: ServedTool): Served => {
  const definition = normalizeTools([tool])[0]!;
  const { name, description, parameters } = definition;
  if (typeof tool.execute !== "function") {
    throw new ToolDefinitionError("missing-execute", name, `The tool ${JSON.stringify(name)} has no \`execute\`.`);
  }
  const { title, annotations } = tool;
  // One wrong field makes clients of the SDK refuse the whole list.
  if (title !== undefined && typeof title !== "string") {
    throw new OptionsError("bad-option", `The \`title\` of the tool ${JSON.stringify(name)} is not a string.`);
  }
  if (!ToolAnnotationsSchema.optional().safeParse(annotations).success) {
    const message = `The \`annotations\` of the tool ${JSON.stringify(name)} are not those of MCP, such as { readOnlyHint: true }.`;
    throw new OptionsError("bad-option", message);
  }
  const said = annotations ?? (tool.readOnly === true ? { readOnlyHint: true } : undefined);
  const outputSchema = outputSchemaOf(tool);
  const listing: ListedTool = {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: withObjectProperties({ ...(parameters as object), type: "object" }),
    ...(outputSchema && { outputSchema }),
    ...(said && { annotations: said }),
  };
  return { tool, definition, listing };
});

/** MCP's structured content is an object, so only schemas for objects can be declared. */
function outputSchemaOf({ resultSchema }: ServedTool): ListedTool["outputSchema"] {
  if (resultSchema === undefined) return undefined;
  try {
    // The schema of the output, which a transform may change.
    const output = (resultSchema as StandardSchema)["~standard"]?.jsonSchema?.output;
    const schema = output ? output({ target: "draft-2020-12" }) : toJsonSchema(resultSchema);
    const isObject = typeof schema === "object" && schema !== null && (schema as { type?: unknown }).type === "object";
    return isObject ? withObjectProperties(schema as ListedTool["outputSchema"]) : undefined;
  } catch {
    // A schema that JSON Schema cannot express is omitted: the tool itself checks the result.
    return undefined;
  }
}

/** The part of Standard JSON Schema (https://standardschema.dev/json-schema) that is used here. */
interface StandardSchema {
  "~standard"?: { jsonSchema?: { output?: (options: { target: string }) => unknown } };
}

/** The SDK's information on a request. */
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
    // Results of another server are forwarded unchanged, with images and structured content.
    const whole = wholeResultOf(tool);
    if (whole) return await whole(args, context);
    const result = await resultInTime(tool, name, args, context);
    if (result instanceof Error) return failure(wordsOf(result, name));
    const wrong = wrongResult(name, result);
    return wrong ? failure(wrong.message) : callResult(result, listing);
  } catch (error) {
    return failure(wordsOf(error, name));
  }
}

/**
 * The result of a tool, with what it keeps open closed; an error for one that exceeds its time limit. Errors: those of the
 * tool.
 */
async function resultInTime(
  tool: ServedTool,
  name: string,
  args: Record<string, unknown>,
  context: ToolExecutionContext,
): Promise<unknown> {
  const { timeout = Number.POSITIVE_INFINITY } = tool;
  const run = async (given: ToolExecutionContext) => {
    const result: unknown = await tool.execute(args, given);
    // Also that of a call that was given up.
    closeResult(result).catch(() => {});
    return result;
  };
  if (timeout === Number.POSITIVE_INFINITY) return await run(context);
  const late = AbortSignal.timeout(Math.min(timeout, MAX_TIMER));
  const signal = context.signal ? AbortSignal.any([context.signal, late]) : late;
  return await untilAborted(() => run({ ...context, signal }), late).catch((error) => {
    if (late.aborted) throw new Error(`The tool ${JSON.stringify(name)} gave no result within ${timeout} ms.`);
    throw error;
  });
}

/** The message of a failed call. A tool may throw anything, even an object that throws when it is read. */
function wordsOf(error: unknown, name: string): string {
  try {
    return messageOf(error) || (error as Error).name;
  } catch {
    return `The tool ${JSON.stringify(name)} failed.`;
  }
}
