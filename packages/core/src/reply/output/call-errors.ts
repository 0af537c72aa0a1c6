import { isObject } from "../../common/plain-object.js";
import type { ToolAliases } from "../../schema/aliases.js";
import { explainInvalidArguments, explainTruncated, explainUnknownTool } from "../../schema/explain.js";
import { join, stepsOf } from "../../schema/json.js";
import type { ToolCallError, ToolDefinition } from "../../types.js";

// The errors of a call. Their feedback is in aliases for a model that was shown only those.

/** No tool has the name of the call. */
export function unknownTool(
  name: string,
  tools: readonly ToolDefinition[],
  aliases: ToolAliases | undefined,
): ToolCallError {
  return inAliases(explainUnknownTool(name, tools), aliases, (shown) =>
    explainUnknownTool(
      name,
      tools.map((tool) => ({ name: shown.tools.short(tool.name) })),
    ),
  );
}

/** The arguments do not match the schema of the tool. */
export function invalidArguments(
  call: Parameters<typeof explainInvalidArguments>[0],
  aliases: ToolAliases | undefined,
): ToolCallError {
  return inAliases(explainInvalidArguments(call), aliases, (shown) => {
    const keys = shown.parameters(call.name);
    const { arguments: args } = call;
    const under = (path: string) => {
      const [key, ...steps] = stepsOf(path);
      return key === undefined ? path : join("", keys.short(key), ...steps);
    };
    const name = shown.tools.short(call.name);
    const renamed = isObject(args)
      ? Object.fromEntries(Object.entries(args).map(([key, part]) => [keys.short(key), part]))
      : args;
    const issues = call.issues.map((issue) => ({ ...issue, path: under(issue.path) }));
    return explainInvalidArguments({ ...call, name, arguments: renamed, issues });
  });
}

/** The end of the reply cuts the call off. `name`: its tool's, if it was read. */
export function truncated(raw: string, name: string | undefined, aliases: ToolAliases | undefined): ToolCallError {
  return inAliases(explainTruncated({ raw, name }), aliases, ({ tools }) =>
    explainTruncated({ raw, name: tools.short(name ?? "") }),
  );
}

/** The same error, with feedback in the aliases. */
const inAliases = (
  error: ToolCallError,
  aliases: ToolAliases | undefined,
  explain: (aliases: ToolAliases) => ToolCallError,
): ToolCallError => (aliases ? { ...error, feedback: explain(aliases).feedback } : error);
