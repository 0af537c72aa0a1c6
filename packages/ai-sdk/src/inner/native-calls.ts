import type { ToolDefinition } from "@toolingua/core";
import { keptJson, parsedJson, unkeptNumber } from "@toolingua/core/adapters";
import { parseToolCallArguments, ToolArgumentsError, validateArguments } from "@toolingua/core/providers";
import { invalidMetadata, type Wrong } from "../messages/metadata.js";
import { invalidIn } from "../messages/prompt.js";
import type { CallOptions, Content, StreamPart } from "../sdk.js";
import { readNativeTools } from "../tools/tools.js";

type CallPart = Extract<Content, { type: "tool-call" }>;

/**
 * Checks the calls that a model made natively. A wrong one becomes an invalid call as a prompted one does: its input is
 * JSON without its end, because the SDK does not validate every schema, and no parser of JSON reports a repeated key.
 * Arguments that only match once they are coerced are passed on coerced. Calls that the provider runs, and those of tools that
 * it defines, are left alone.
 */
export class NativeCalls {
  readonly #tools: ReadonlyMap<string, ToolDefinition>;
  readonly #others: ReadonlySet<string>;

  constructor(tools: CallOptions["tools"]) {
    const { definitions, provider } = readNativeTools(tools);
    this.#tools = new Map(definitions.map((tool) => [tool.name, tool]));
    this.#others = new Set(provider.map(({ name }) => name));
  }

  /** The content of a whole reply, or the part of a streamed one, with its wrong calls made invalid. */
  checked<P extends Content | StreamPart>(part: P): P {
    const wrong = part.type === "tool-call" ? this.#wrong(part) : undefined;
    return wrong ? { ...part, ...wrong } : part;
  }

  /** What is different in an invalid call. */
  #wrong(part: CallPart): Pick<CallPart, "input" | "providerMetadata"> | undefined {
    const { toolName: name, input: raw, providerExecuted, providerMetadata } = part;
    if (providerExecuted || this.#others.has(name)) return undefined;
    const tool = this.#tools.get(name);
    const error = tool ? check(tool, raw) : unlessUnknown(name);
    if (!error) return undefined;
    if ("coerced" in error)
      return { input: JSON.stringify(error.coerced), ...(providerMetadata && { providerMetadata }) };
    const invalid = invalidMetadata(error, name, raw, keptJson(raw));
    return { input: withoutEnd(raw), providerMetadata: { ...providerMetadata, toolingua: { invalid } } };
  }
}

/** What is wrong with an input, or its arguments if they match only once they are coerced. */
function check(tool: ToolDefinition, input: string): Wrong | { coerced: object } | undefined {
  // The SDK reads an empty input as no arguments.
  const text = input.trim() === "" ? "{}" : input;
  try {
    const { arguments: coerced } = parseToolCallArguments(tool, text, "openai");
    // The SDK's own reading would round a number.
    const isKept = unkeptNumber(text) === undefined;
    return isKept && validateArguments(tool, parsedJson(text)).length === 0 ? undefined : { coerced };
  } catch (error) {
    if (!(error instanceof ToolArgumentsError)) throw error;
    const { code, message, feedback, issues } = error;
    return { code, message, feedback, ambiguous: issues.some(({ keyword }) => keyword === "json") };
  }
}

/** The SDK refuses an unknown tool itself, unless its name is one that every object has, such as `constructor`. */
function unlessUnknown(name: string): Wrong | undefined {
  if (!(name in {})) return undefined;
  const message = `There is no tool named ${JSON.stringify(name)}.`;
  return { code: "unknown-tool", message, feedback: message };
}

/** An input that no parser accepts. */
function withoutEnd(input: string): string {
  if (input.trim() !== "" && parsedJson(input) === undefined) return input;
  const cut = input.trimEnd().slice(0, -1);
  return cut.startsWith("{") && parsedJson(cut) === undefined ? cut : `{${cut}`;
}

/** A native request, in whose prompt invalid calls have their own arguments, and the feedback on them. */
export function withFeedback(call: CallOptions): CallOptions {
  const feedback = new Map<string, string>();
  const prompt = call.prompt.map((message) => {
    if (message.role === "assistant") {
      const content = message.content.map((part) => {
        const invalid = part.type === "tool-call" ? invalidIn(part) : undefined;
        if (part.type !== "tool-call" || !invalid) return part;
        feedback.set(part.toolCallId, invalid.feedback);
        const { toolingua: _, ...providerOptions } = part.providerOptions ?? {};
        return { ...part, input: invalid.arguments ?? part.input, providerOptions };
      });
      return { ...message, content };
    }
    if (message.role !== "tool" || feedback.size === 0) return message;
    const content = message.content.map((part) => {
      const value = part.type === "tool-result" ? feedback.get(part.toolCallId) : undefined;
      if (part.type !== "tool-result" || value === undefined || part.output.type !== "error-text") return part;
      return { ...part, output: { ...part.output, value } };
    });
    return { ...message, content };
  });
  return feedback.size > 0 ? { ...call, prompt } : call;
}
