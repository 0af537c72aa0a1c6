import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import {
  type JsonSchema,
  normalizeTools,
  type Tool,
  type ToolExecutionContext,
  validateValue,
  writableName,
} from "@toolingua/core";
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
  call(args: Record<string, unknown>, context?: Partial<ToolExecutionContext>): Promise<CallToolResult>;
}

/**
 * The key on `execute` of a function that returns the complete result, even of a failed call, for servers that serve
 * the tool again. It is on the function itself, so that a replaced `execute` is not bypassed.
 */
const WHOLE_RESULT: unique symbol = Symbol.for("toolingua.mcp.whole-result");

type WholeResult = (args: Record<string, unknown>, context: Partial<ToolExecutionContext>) => Promise<CallToolResult>;

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
interface ListOfTools {
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
  const { name: toolName, description, outputSchema, annotations } = listed;
  const title = listed.title ?? annotations?.title;
  const parameters = parametersOf(name, listed, connection);
  if (parameters === undefined) return undefined;
  if (writableName(toolName) !== toolName) {
    const message = `The tool ${JSON.stringify(toolName)} of the MCP server "${server}" is named "${name}" here, because not every protocol can write its own name.`;
    connection.report(new McpServerError("bad-tool", server, message, { tool: toolName }));
  }
  const caller = new ToolCaller(listed, connection, list);
  const execute: Tool["execute"] = (args, context) => caller.execute(args, context);
  const whole: WholeResult = (args, context) => caller.result(args, context);
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
    call: (args, context) => caller.call(args, context),
    execute,
  };
}

/**
 * The schema of the arguments, of which parts that cannot be checked are reported; undefined, after a report, if it is wrong.
 */
function parametersOf(
  name: string,
  { name: tool, inputSchema }: ListedTool,
  connection: McpConnection,
): JsonSchema | undefined {
  const { server } = connection;
  const report = (said: string) => connection.report(new McpServerError("bad-tool", server, said, { tool }));
  try {
    const about = `The schema of the tool "${tool}" of the MCP server "${server}"`;
    const [normalized] = normalizeTools([{ name: tool && name, parameters: inputSchema }], {
      onProblem: (_, { path, keyword, message }) =>
        report(`${about} has a part that cannot be checked: ${path} ${keyword} ${message}`),
    });
    return normalized!.parameters!;
  } catch (cause) {
    report(`A tool of the MCP server "${server}" is omitted. ${messageOf(cause)}`);
    return undefined;
  }
}

/** Calls one tool of a server. */
class ToolCaller {
  constructor(
    private readonly tool: ListedTool,
    private readonly connection: McpConnection,
    private readonly list: ListOfTools,
  ) {}

  /** The content for the model, or the error. */
  async execute(args: Record<string, unknown>, context?: Partial<ToolExecutionContext>): Promise<unknown> {
    const { maxResultLength: most, media } = this.connection;
    try {
      const result = await this.call(args, context);
      return media === "blocks" ? shortenedBlocks(resultBlocks(result), most) : shortened(resultContent(result), most);
    } catch (error) {
      if (error instanceof McpServerError) return error;
      // JSON that is nested too deeply to be written again.
      if (error instanceof RangeError)
        return this.failed("invalid-result", `The result of "${this.tool.name}" is too deep.`);
      throw error;
    }
  }

  /** The complete result. Errors: as {@link result}; `tool-failed` for a result that is an error. */
  async call(args: Record<string, unknown>, context?: Partial<ToolExecutionContext>): Promise<CallToolResult> {
    const result = await this.result(args, context);
    if (!result.isError) return result;
    const said = clip(textOf(resultContent(result)), FAILURE);
    throw this.failed("tool-failed", said || `The tool "${this.tool.name}" failed and does not say why.`);
  }

  /**
   * The complete result, which may be an error. Errors: `McpServerError`, `tool-gone` for a tool that the server does not have
   * any more, `invalid-result` for a result that its schema does not allow.
   */
  async result(args: Record<string, unknown>, context?: Partial<ToolExecutionContext>): Promise<CallToolResult> {
    const result = await this.send(args, context);
    const { name, outputSchema } = this.tool;
    const issues =
      outputSchema && !result.isError ? validateValue(result.structuredContent, outputSchema as JsonSchema) : [];
    if (issues.length === 0) return result;
    const found = issues
      .slice(0, 20)
      .map(({ path, message }) => `structuredContent${path} ${message}`)
      .join("; ");
    throw this.failed("invalid-result", `The tool "${name}" gave a result that breaks its own schema: ${found}`);
  }

  private async send(
    args: Record<string, unknown>,
    { toolCallId = "", signal }: Partial<ToolExecutionContext> = {},
  ): Promise<CallToolResult> {
    const { name, execution } = this.tool;
    if (!this.list.isListed(name)) throw this.gone();
    try {
      const called = { name, asTask: execution?.taskSupport === "required" };
      return await this.connection.call(called, args, { toolCallId, ...(signal && { signal }) });
    } catch (error) {
      const refused = error instanceof McpServerError && error.code === "refused";
      if (refused && !(await this.list.isStillListed(name, signal))) throw this.gone();
      throw error;
    }
  }

  private gone(): McpServerError {
    const { name } = this.tool;
    const message = `The MCP server "${this.connection.server}" has no tool "${name}" any more. Go on without it.`;
    return this.failed("tool-gone", message);
  }

  private failed(code: McpServerError["code"], said: string): McpServerError {
    return new McpServerError(code, this.connection.server, said, { tool: this.tool.name });
  }
}
