import { join } from "../../schema/json.js";
import type { SchemaInput } from "../../schema/to-json-schema.js";
import type { ToolCall, ToolChoice, ToolDefinition, ToolResult } from "../../types.js";
import { allowedTools } from "./allowed-tools.js";
import { listAt, objectAt } from "./expect.js";
import { converted, convertedEach, convertedFlat, type Losses } from "./losses.js";
import type { Names } from "./names.js";
import { type ObjectSchema, plainObjectSchema } from "./parameters.js";
import type {
  Conversation,
  Converted,
  ReadOptions,
  ReadResultsOptions,
  WritableConversation,
  WritableTool,
} from "./types.js";

/** A provider's functions to write and read one tool, choice, call and result. Paths are their places in the input. */
export interface Pieces<Tool, Choice, Call, Result> {
  namesFor(options?: ReadOptions): Names;
  writeTool(tool: WritableTool, path: string, names: Names, losses: Losses): Tool;
  /** Empty if the tool is the provider's own. */
  readTool(given: unknown, path: string, losses: Losses): ToolDefinition[];
  writeChoice(choice: ToolChoice, path: string, names: Names, losses: Losses): Choice;
  readChoice(given: unknown, path: string, names: Names, losses: Losses): ToolChoice;
  writeCall(call: ToolCall, path: string, names: Names, losses: Losses): Call;
  readCall(given: { [key: string]: unknown }, path: string, names: Names, losses: Losses): ToolCall;
  writeResult(result: ToolResult, path: string, names: Names, losses: Losses): Result;
  readResult(given: { [key: string]: unknown }, path: string, names: Names, losses: Losses): ToolResult;
}

/** Writes a request's tools and tool choice under OpenAI's keys. */
export function writeTools<Tool, Choice>(
  { tools, toolChoice }: WritableConversation,
  { writeTool, writeChoice }: Pick<Pieces<Tool, Choice, unknown, unknown>, "writeTool" | "writeChoice">,
  names: Names,
  losses: Losses,
): { tools?: Tool[]; tool_choice?: Choice } {
  return {
    ...(tools && { tools: tools.map((tool, i) => writeTool(tool, join("/tools", i), names, losses)) }),
    ...(toolChoice && { tool_choice: writeChoice(toolChoice, "/toolChoice", names, losses) }),
  };
}

/** Reads a request's tools and tool choice under OpenAI's keys. */
export function readTools(
  { tools, tool_choice: choice }: { [key: string]: unknown },
  { readTool, readChoice }: Pick<Pieces<unknown, unknown, unknown, unknown>, "readTool" | "readChoice">,
  names: Names,
  losses: Losses,
): Pick<Conversation, "tools" | "toolChoice"> {
  const read = (tool: unknown, i: number) => readTool(tool, join("/tools", i), losses);
  return {
    ...(tools != null && { tools: allowedTools(listAt(tools, "/tools").flatMap(read), choice) }),
    ...(choice != null && { toolChoice: readChoice(choice, "/tool_choice", names, losses) }),
  };
}

/** The conversions of separate tools, calls and results, for formats whose results have only the call's id. */
export function conversionsOf<Tool, Choice, Call, Result>(pieces: Pieces<Tool, Choice, Call, Result>) {
  const { namesFor } = pieces;
  return {
    toTools: (tools: readonly WritableTool[]): Converted<Tool[]> =>
      convertedEach(tools, (tool, path, losses) => pieces.writeTool(tool, path, namesFor(), losses)),
    fromTools: (tools: readonly unknown[]): Converted<ToolDefinition[]> => convertedFlat(tools, pieces.readTool),
    toToolChoice: (choice: ToolChoice): Converted<Choice> =>
      converted((losses) => pieces.writeChoice(choice, "", namesFor(), losses)),
    fromToolChoice: (choice: unknown, options?: ReadOptions): Converted<ToolChoice> =>
      converted((losses) => pieces.readChoice(choice, "", namesFor(options), losses)),
    toCalls: (calls: readonly ToolCall[]): Converted<Call[]> =>
      convertedEach(calls, (call, path, losses) => pieces.writeCall(call, path, namesFor(), losses)),
    fromCalls: (calls: readonly unknown[], options?: ReadOptions): Converted<ToolCall[]> =>
      convertedEach(calls, (call, path, losses) =>
        pieces.readCall(objectAt(call, path, "a call"), path, namesFor(options), losses),
      ),
    toResults: (results: readonly ToolResult[]): Converted<Result[]> =>
      convertedEach(results, (result, path, losses) => {
        losses.add(join(path, "name"), "name", "results say only the call's id here: give `calls` when reading them");
        return pieces.writeResult(result, path, namesFor(), losses);
      }),
    fromResults: (results: readonly unknown[], options?: ReadResultsOptions): Converted<ToolResult[]> => {
      const names = namesFor(options);
      for (const call of options?.calls ?? []) names.remember(call);
      return convertedEach(results, (result, path, losses) =>
        pieces.readResult(objectAt(result, path, "a result"), path, names, losses),
      );
    },
    formatSchema: (schema: SchemaInput): Converted<ObjectSchema> =>
      converted((losses) => plainObjectSchema(schema, "", losses)),
  };
}
