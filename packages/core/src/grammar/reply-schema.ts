import { isObject } from "../plain-object.js";
import type { JsonObject } from "../schema/json.js";
import type { JsonSchema, ToolChoice, ToolDefinition } from "../types.js";
import { type AnySyntax, withSyntax } from "./any-syntax.js";
import { GrammarError } from "./errors.js";

/** What the schema of a reply depends on. */
export interface ReplySchemaOptions {
  tools: readonly ToolDefinition[];
  /** A format in which the whole reply is JSON: `json-action`, `json-list`, `llama3-json`. */
  protocol: AnySyntax;
  /** `required`: any of the tools; `{ name }`: that one; `auto`: a call or, where the format has one, the final answer. */
  toolChoice: ToolChoice;
  /** The most calls in a list. Default 8. */
  maxCalls?: number | undefined;
}

/**
 * A JSON Schema for replies that are JSON as a whole, for servers that take one (`format` of Ollama, `response_format`
 * of OpenAI's API) and no grammar. Each tool's parameters are under `$defs`.
 *
 * Errors: {@link GrammarError} `unsupported` for formats that are not JSON as a whole and where the tool choice cannot be
 * told in JSON; `no-tools`, `unknown-tool`.
 *
 * @example replySchema({ tools, protocol: "json-action", toolChoice: "auto" });
 */
export function replySchema({ tools, protocol, toolChoice, maxCalls = 8 }: ReplySchemaOptions): JsonObject {
  const { call, block, also, at } = withSyntax(protocol).syntax;
  const [body] = call;
  const chosen = typeof toolChoice === "object" ? tools.filter(({ name }) => name === toolChoice.name) : tools;
  if (tools.length === 0) throw new GrammarError("no-tools", "A call must come, but there are no tools.");
  if (chosen.length === 0) throw new GrammarError("unknown-tool", "The tool choice names none of the tools.");
  const $defs = Object.fromEntries(chosen.map((tool, i) => [`tool-${i}`, parametersOf(tool, `#/$defs/tool-${i}`)]));
  const calls = (name: string, args: string) =>
    chosen.map((tool, i) => object({ [name]: { const: tool.name }, [args]: { $ref: `#/$defs/tool-${i}` } }));
  if (call.length === 1 && typeof body === "object" && "body" in body && toolChoice !== "none") {
    if (body.body === "action") {
      const thought = { [body.thought]: { type: "string", maxLength: body.strict?.maxThought } };
      const made = object({ ...thought, [body.action]: anyOf(calls(body.name, body.arguments)) }, [body.thought]);
      const answer = object({ ...thought, [body.final]: object({ [body.content]: { type: "string" } }) }, [
        body.thought,
      ]);
      return { ...(toolChoice === "auto" ? anyOf([made, answer]) : made), $defs };
    }
    if (body.body === "json-call" && at === "reply" && body.index === undefined && toolChoice !== "auto") {
      const items = anyOf(calls(body.name, body.arguments));
      if (block?.open === "[" && block.close === "]")
        return { type: "array", items, minItems: 1, maxItems: maxCalls, $defs };
      if (!block?.open || also?.some((form) => form.call[0] === body)) return { ...items, $defs };
    }
  }
  throw new GrammarError(
    "unsupported",
    `No JSON Schema for replies in ${withSyntax(protocol).name ?? "this format"} with this tool choice.`,
  );
}

const anyOf = (options: readonly JsonObject[]): JsonObject => (options.length === 1 ? options[0]! : { anyOf: options });

/** An object with these keys and no others, all required but the `optional` ones. */
function object(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return JSON.parse(
    JSON.stringify({ type: "object", properties, required, additionalProperties: false }),
  ) as JsonObject;
}

/** The parameters of a tool, whose references within the document now begin at `root`. */
function parametersOf({ parameters = {} }: ToolDefinition, root: string): JsonSchema {
  const moved = rebased(parameters, root);
  return isObject(moved) ? { ...moved, type: "object" } : { type: "object" };
}

function rebased(value: unknown, root: string): unknown {
  if (Array.isArray(value)) return value.map((item) => rebased(item, root));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => {
    const isReference = key === "$ref" && typeof part === "string" && part.startsWith("#");
    return [key, isReference ? root + part.slice(1) : rebased(part, root)];
  });
  return Object.fromEntries(entries);
}
