import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import { type JsonSchema, normalizeTools, type Tool, validateValue, writableName } from "@toolingua/core";
import { messageOf } from "@toolingua/core/adapters";
import { clip, FAILURE } from "./clip.js";
import type { McpConnection } from "./connection.js";
import { resultBlocks, resultContent } from "./content.js";
import { McpServerError } from "./errors.js";

/** The server's hints on a tool: whether it only reads, destroys, … They are as trustworthy as the server. */
export type ToolAnnotations = NonNullable<ListedTool["annotations"]>;

/** A tool of an MCP server. It is core's `Tool`, so every adapter accepts it. */
export interface McpTool extends Tool {
  readonly server: string;
  /** Its name on the server; `name` may have a prefix. */
  readonly toolName: string;
  readonly title?: string;
  readonly annotations?: ToolAnnotations;
  /** The JSON Schema of its structured content. */
  readonly resultSchema?: JsonSchema;
  /**
   * Calls the tool and returns the complete result: images, resources, structured content. Throws the errors that
   * `execute` returns.
   */
  call(args: Record<string, unknown>, context?: Partial<Parameters<Tool["execute"]>[1]>): Promise<CallToolResult>;
}

/**
 * The key on `execute` of a function that returns the complete result, even of a failed call, for servers that serve
 * the tool again. It is on the function itself, so that a replaced `execute` is not bypassed.
 */
const WHOLE_RESULT: unique symbol = Symbol.for("toolingua.mcp.whole-result");

type WholeResult = (
  args: Record<string, unknown>,
  context: Partial<Parameters<Tool["execute"]>[1]>,
) => Promise<CallToolResult>;

/** The function that returns the complete result of another server's tool; undefined for other tools. */
export const wholeResultOf = ({ execute }: Pick<Tool, "execute">): WholeResult | undefined =>
  (execute as Tool["execute"] & { [WHOLE_RESULT]?: WholeResult })[WHOLE_RESULT];

const textOf = (content: unknown) => (typeof content === "string" ? content : (JSON.stringify(content) ?? ""));

/** The content, truncated as text if necessary. */
function shortened(content: unknown, most: number): unknown {
  const text = textOf(content);
  return text.length > most ? clip(text, most) : content;
}

/** The blocks, with truncated text. Only text counts: the size of a whole message is limited elsewhere. */
function shortenedBlocks(content: unknown, most: number): unknown {
  if (!Array.isArray(content)) return shortened(content, most);
  return content.map((block: { text?: unknown }) =>
    typeof block.text === "string" ? { ...block, text: clip(block.text, most) } : block,
  );
}

/** The list that a tool is on. */
export interface ListOfTools {
  isListed(toolName: string): boolean;
  /** Whether it is still listed, after asking the server again. Errors: the signal's reason. */
  isStillListed(toolName: string, signal: AbortSignal | undefined): Promise<boolean>;
}

/** Makes the tool; undefined, after a report, if no model can be shown it. */
export function mcpTool(
  name: string,
  listed: ListedTool,
  connection: McpConnection,
  list: ListOfTools,
): McpTool | undefined {
  const { server } = connection;
  const { name: toolName, description, inputSchema, outputSchema, annotations, execution } = listed;
  const title = listed.title ?? annotations?.title;
  const called = { name: toolName, asTask: execution?.taskSupport === "required" };
  const failed = (code: McpServerError["code"], said: string) =>
    new McpServerError(code, server, said, { tool: toolName });
  const gone = () =>
    failed("tool-gone", `The MCP server "${server}" has no tool "${toolName}" any more. Go on without it.`);

  let parameters: JsonSchema;
  try {
    const about = `The schema of the tool "${toolName}" of the MCP server "${server}"`;
    const onProblem = (_: string, { path, keyword, message }: { path: string; keyword: string; message: string }) =>
      connection.report(
        failed("bad-tool", `${about} has a part that cannot be checked: ${path} ${keyword} ${message}`),
      );
    parameters = normalizeTools([{ name: toolName && name, parameters: inputSchema }], { onProblem })[0]!.parameters!;
  } catch (cause) {
    const message = messageOf(cause);
    connection.report(failed("bad-tool", `A tool of the MCP server "${server}" is omitted. ${message}`));
    return undefined;
  }

  if (writableName(toolName) !== toolName) {
    const message = `The tool ${JSON.stringify(toolName)} of the MCP server "${server}" is named "${name}" here, because not every protocol can write its own name.`;
    connection.report(failed("bad-tool", message));
  }

  const send: WholeResult = async (args, { toolCallId = "", signal } = {}) => {
    if (!list.isListed(toolName)) throw gone();
    try {
      return await connection.call(called, args, { toolCallId, ...(signal && { signal }) });
    } catch (error) {
      const refused = error instanceof McpServerError && error.code === "refused";
      if (refused && !(await list.isStillListed(toolName, signal))) throw gone();
      throw error;
    }
  };
  /** Errors: `McpServerError` (`invalid-result`). */
  const checked = (result: CallToolResult): CallToolResult => {
    const issues =
      outputSchema && !result.isError ? validateValue(result.structuredContent, outputSchema as JsonSchema) : [];
    if (issues.length === 0) return result;
    const found = issues
      .slice(0, 20)
      .map(({ path, message }) => `structuredContent${path} ${message}`)
      .join("; ");
    throw failed("invalid-result", `The tool "${toolName}" gave a result that breaks its own schema: ${found}`);
  };
  const call: McpTool["call"] = async (args, context = {}) => {
    const result = await send(args, context);
    if (!result.isError) return checked(result);
    const said = textOf(resultContent(result));
    throw failed("tool-failed", clip(said, FAILURE) || `The tool "${toolName}" failed and does not say why.`);
  };

  const execute: Tool["execute"] = async (args, context) => {
    try {
      const result = await call(args, context);
      const { maxResultLength: most } = connection;
      if (connection.media === "blocks") return shortenedBlocks(resultBlocks(result), most);
      return shortened(resultContent(result), most);
    } catch (error) {
      if (error instanceof McpServerError) return error;
      // JSON that is nested too deeply to be written again.
      if (error instanceof RangeError) return failed("invalid-result", `The result of "${toolName}" is too deep.`);
      throw error;
    }
  };
  const whole: WholeResult = async (args, context) => checked(await send(args, context));
  Object.assign(execute, { [WHOLE_RESULT]: whole });

  return {
    name,
    ...(description !== undefined && { description }),
    parameters,
    server,
    toolName,
    ...(title !== undefined && { title }),
    ...(annotations && { annotations }),
    ...(outputSchema && { resultSchema: outputSchema as JsonSchema }),
    call,
    execute,
  };
}
