import {
  type CallToolResult,
  CallToolResultSchema,
  ContentBlockSchema,
  type Tool as ListedTool,
} from "@modelcontextprotocol/sdk/types.js";
import { type JsonSchema, validateValue } from "@toolingua/core";
import { contentOf, describeIssues, isObject, parsedJson } from "@toolingua/core/adapters";

export const failure = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

/** Converts a tool's result to that of MCP. */
export function callResult(result: unknown, { name, outputSchema }: ListedTool): CallToolResult {
  if (typeof result === "string" && !outputSchema) return { content: [{ type: "text", text: result }] };
  const said = outputSchema ? undefined : blocksOf(result);
  if (said) return { content: said };
  const whole = wholeOf(result);
  if (whole) return checked(whole, whole.structuredContent, name, outputSchema);
  // The value as it will be sent: JSON only, after `toJSON`.
  const text = typeof result === "string" ? JSON.stringify(result) : contentOf(result);
  const value = parsedJson(text);
  const content: CallToolResult["content"] = [{ type: "text", text }];
  const structured = isObject(value) ? { content, structuredContent: value } : { content };
  return checked(structured, value, name, outputSchema);
}

/** Checks the result against the schema: clients that check would discard it. */
function checked(
  result: CallToolResult,
  value: unknown,
  name: string,
  outputSchema: ListedTool["outputSchema"],
): CallToolResult {
  const issues = outputSchema && !result.isError ? validateValue(value, outputSchema as JsonSchema) : [];
  if (issues.length === 0) return result;
  const text = JSON.stringify(value) ?? "";
  return failure(
    `The tool "${name}" gave a result that breaks its own schema (${describeIssues(issues, "; ")}): ${text}`,
  );
}

/** The value if it is a list of MCP content blocks only. */
function blocksOf(result: unknown): CallToolResult["content"] | undefined {
  if (!Array.isArray(result) || result.length === 0) return undefined;
  const blocks = result.map((block) => ContentBlockSchema.safeParse(withBase64(block)));
  return blocks.every(({ success }) => success) ? blocks.map(({ data }) => data!) : undefined;
}

const WHOLE = ["content", "structuredContent", "isError", "_meta"];

/** The value if it is already an MCP result: `{ content: [block, …], structuredContent?, isError? }`. */
function wholeOf(result: unknown): CallToolResult | undefined {
  if (!isObject(result) || Object.keys(result).some((key) => !WHOLE.includes(key))) return undefined;
  const content = blocksOf(result.content);
  if (!content) return undefined;
  const { success, data } = CallToolResultSchema.safeParse({ ...result, content });
  return success ? data : undefined;
}

function withBase64(block: unknown): unknown {
  if (!isObject(block) || !(block.data instanceof Uint8Array)) return block;
  return { ...block, data: Buffer.from(block.data).toString("base64") };
}
