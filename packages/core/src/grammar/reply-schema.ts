import { isObject } from "../common/plain-object.js";
import { checkOptions } from "../options/check-options.js";
import type { JsonObject } from "../schema/json.js";
import { type NormalSchema, normalizeSchema } from "../schema/normalize.js";
import { preparedTools } from "../schema/prepared-tools.js";
import { isBody } from "../syntax/syntax.js";
import type { ToolDefinition } from "../types.js";
import { withSyntax } from "./any-syntax.js";
import { GrammarError, grammarWithinLimits } from "./errors.js";
import type { ReplySchemaOptions } from "./grammar-options.js";
import { NEEDED, replyRules } from "./options.js";

/**
 * A JSON Schema for replies that are entirely JSON, for servers that accept a schema (`format` of Ollama,
 * `response_format` of OpenAI's API) and no grammar. Each tool's parameters are under `$defs`, in JSON Schema 2020-12.
 *
 * Errors: {@link GrammarError} `unsupported` for formats whose replies are not entirely JSON, and where a JSON Schema
 * cannot express the tool choice; `no-tools`, `unknown-tool`. `OptionsError` (`bad-option`);
 * `ToolDefinitionError` for a tool of unknown shape.
 *
 * @example replySchema({ tools, protocol: "json-action", toolChoice: "auto" });
 */
export function replySchema(options: ReplySchemaOptions): JsonObject {
  checkOptions(replyRules, options, "the options of replySchema", NEEDED);
  const { protocol, toolChoice, maxCalls = 8 } = options;
  const tools = preparedTools(options.tools);
  const { call, block, also, at } = withSyntax(protocol).syntax;
  const [body] = call;
  const chosen = typeof toolChoice === "object" ? tools.filter(({ name }) => name === toolChoice.name) : tools;
  if (tools.length === 0) throw new GrammarError("no-tools", "There is no tool to call: `tools` is empty.");
  if (chosen.length === 0) throw new GrammarError("unknown-tool", "The tool choice names none of the tools.");
  const $defs = Object.fromEntries(
    chosen.map((tool, i) => [
      `tool-${i}`,
      grammarWithinLimits(tool.parameters, () => parametersOf(tool, `#/$defs/tool-${i}`), tool.name),
    ]),
  );
  const calls = (name: string, args: string) =>
    chosen.map((tool, i) => object({ [name]: { const: tool.name }, [args]: { $ref: `#/$defs/tool-${i}` } }));
  if (call.length === 1 && isBody(body) && toolChoice !== "none") {
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
  const named = withSyntax(protocol).name ?? "this format";
  const isJson =
    call.length === 1 && isBody(body) && (body.body === "action" || (body.body === "json-call" && at === "reply"));
  throw new GrammarError(
    "unsupported",
    isJson
      ? `With the tool choice ${JSON.stringify(toolChoice)} a reply in ${named} may be text, which a JSON Schema cannot describe: use "required" or { name }.`
      : `A reply in ${named} is not entirely JSON, so a JSON Schema cannot describe it: use a format in which it is, such as json-action, or a server that takes a grammar.`,
  );
}

const anyOf = (options: readonly JsonObject[]): JsonObject => (options.length === 1 ? options[0]! : { anyOf: options });

/** A schema for an object with exactly these keys, all required except the `optional` ones. */
function object(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return JSON.parse(
    JSON.stringify({ type: "object", properties, required, additionalProperties: false }),
  ) as JsonObject;
}

/** The parameters of a tool as a schema at `root` of another document: its references begin there. */
function parametersOf({ parameters = {} }: ToolDefinition, root: string): JsonObject {
  const normal = normalizeSchema(parameters);
  const moved = rebased(normal.root, normal, root);
  return isObject(moved) ? { ...moved, type: "object" } : { type: "object" };
}

/**
 * Moves references to `root`. A `$ref` counts only where a schema is: `const` and `enum` may contain that key as data.
 */
function rebased(value: unknown, normal: NormalSchema, root: string): unknown {
  if (Array.isArray(value)) return value.map((item) => rebased(item, normal, root));
  if (!isObject(value)) return value;
  const given = normal.origin(value)?.schema;
  const parts = Object.entries(value).map(([key, part]) =>
    given !== undefined && key === "$ref" ? [key, root + String(part).slice(1)] : [key, rebased(part, normal, root)],
  );
  const isDescribed = isObject(given) && !("$ref" in value) && typeof given.description === "string";
  return Object.fromEntries(isDescribed ? [["description", given.description], ...parts] : parts);
}
