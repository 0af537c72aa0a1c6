import { type Tool as ListedTool, ToolSchema } from "@modelcontextprotocol/sdk/types.js";
import { describeValue, isObject } from "@toolingua/core/adapters";
import { McpServerError } from "./errors.js";
import { sizeOf } from "./pages.js";
import { withObjectProperties } from "./properties.js";
import { issuesOf } from "./sdk-errors.js";

/** The most characters of one tool as JSON, and of a tool's name. Larger tools are omitted. */
const MAX_TOOL_LENGTH = 1_000_000;
const MAX_NAME_LENGTH = 256;

/** The tools in a server's list. Those that violate the specification are omitted and reported. */
export function readTools(server: string, listed: unknown, report: (problem: McpServerError) => void): ListedTool[] {
  return (Array.isArray(listed) ? listed : []).flatMap((item: unknown) => {
    const given = (item as { name?: unknown } | null)?.name;
    const name = typeof given === "string" ? given.slice(0, MAX_NAME_LENGTH) : undefined;
    const shown = name === undefined ? (isObject(item) ? "one without a name" : describeValue(item)) : `"${name}"`;
    const leftOut = (why: string, cause?: unknown) => {
      const [issue] = issuesOf(cause);
      const message = `A tool of the MCP server "${server}" ${why} and is omitted: ${shown}${issue === undefined ? "" : ` (${issue})`}.`;
      report(new McpServerError("bad-tool", server, message, { tool: name, cause }));
      return [];
    };
    if (sizeOf(item) > MAX_TOOL_LENGTH) return leftOut("is too large, or nested too deeply,");
    if (typeof given === "string" && given.length > MAX_NAME_LENGTH)
      return leftOut(`has a name of more than ${MAX_NAME_LENGTH} characters`);
    const { success, data, error } = ToolSchema.safeParse(withObjectSchemas(item));
    return success ? [data as ListedTool] : leftOut("breaks the specification", error);
  });
}

function withObjectSchemas(item: unknown): unknown {
  if (typeof item !== "object" || item === null) return item;
  const { inputSchema, outputSchema } = item as { inputSchema?: unknown; outputSchema?: unknown };
  return { ...item, inputSchema: withObjectProperties(inputSchema), outputSchema: withObjectProperties(outputSchema) };
}
