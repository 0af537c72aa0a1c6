import type { Protocol } from "../protocol.js";
import { nameInCalls } from "../render.js";
import { factsOf } from "../syntax/bodies.js";
import { markerOf, openersOf } from "../syntax/spelling.js";
import { type Body, isBody, isBodyOf, isSlot, isToolElement, type Syntax } from "../syntax/syntax.js";
import type { ToolChoice, ToolDefinition } from "../types.js";

/** The sentence for a required call, at the end of the last user message. */
export function toolChoiceNotice(
  toolChoice: ToolChoice,
  { syntax }: Protocol,
  tools: readonly ToolDefinition[],
): string | undefined {
  if (toolChoice === "required") return "Answer this with a tool call.";
  if (typeof toolChoice !== "object") return undefined;
  return `Answer this by calling the tool ${nameInCalls(syntax, toolChoice.name, tools)}.`;
}

/** The tool that must be called: the named one, or the only one. */
export function forcedTool(toolChoice: ToolChoice, tools: readonly ToolDefinition[]): string | undefined {
  if (typeof toolChoice === "object") return toolChoice.name;
  return toolChoice === "required" && tools.length === 1 ? tools[0]?.name : undefined;
}

/**
 * The beginning of a call, as a prefill: up to the arguments if the tool is given, else up to the name or the body.
 * `undefined` for a syntax without an opener. Trailing space is left to the model, because most tokenizers join it to
 * the next word.
 *
 * @example
 * callOpening(hermes, tools, "now"); // <tool_call>\n{"name": "now", "arguments":
 * callOpening(xml, tools); // <tool_call>\n<name>
 */
export function callOpening(protocol: Protocol, tools: readonly ToolDefinition[], tool?: string): string | undefined {
  const { syntax } = protocol;
  if (!openerOf(syntax)) return undefined;
  const [first] = syntax.call;
  if (tool === undefined && isBodyOf(first, "attributes")) return `<${first.tag} ${first.name}="`;
  if (tool === undefined) {
    if (isBodyOf(first, "action")) return `{${JSON.stringify(first.action)}: {${JSON.stringify(first.name)}:`;
    const end = syntax.call.findIndex((part) => typeof part !== "string");
    return ((syntax.block?.open ?? "") + syntax.call.slice(0, end).join("")).trimEnd();
  }
  // A call without arguments, without its end, is the beginning of every call of this tool.
  const whole = protocol.renderCalls([{ name: tool, arguments: {} }], { tools });
  const at = syntax.call.findIndex(isBody);
  const rest = syntax.call.slice(at + 1).map((part) => (isSlot(part) ? tool : part));
  const tail = rest.join("") + (syntax.block?.close ?? "");
  const body = syntax.call[at] as Body;
  return whole.slice(0, whole.length - tail.length - factsOf(body).empty.length).trimEnd();
}

/**
 * Whether a reply continues {@link callOpening}. Otherwise the model ignored the prefill and starts again, with the
 * opener or with words. `undefined` while the reply is too short to decide.
 */
export function continuesOpening(syntax: Syntax, tool: string | undefined, reply: string): boolean | undefined {
  const text = reply.trimStart();
  const [message] = syntax.call;
  if (isBodyOf(message, "action")) {
    if (!text.startsWith("{")) return text === "" ? undefined : tool === undefined && text.startsWith('"');
    const [, key, whole] = /^\{\s*"(\w*)("?)/.exec(text) ?? [];
    const { thought, action, final } = message;
    return whole ? key !== thought && key !== action && key !== final : undefined;
  }
  const opener = openerOf(syntax, tool) ?? "";
  if (text.length < opener.length && opener.startsWith(text)) return undefined;
  const awaited = syntax.call.findIndex((part) => typeof part !== "string" && (tool === undefined || isBody(part)));
  const part = syntax.call[awaited];
  if (text.startsWith(opener)) {
    // The tag of an argument may begin with the same characters as the opener.
    const argument = isBodyOf(part, "elements") ? String(part.open[0]).trim() : "";
    if (!argument.startsWith(opener) || argument === opener) return false;
    return text.length < argument.length && argument.startsWith(text) ? undefined : text.startsWith(argument);
  }
  if (isBody(part) && (tool !== undefined || part.body !== "attributes")) {
    return part.body === "attributes" ? attributeBegins(text) : text.startsWith(beginningOf(part));
  }
  // The reply continues a name if the name's end comes before any space.
  const name = /^[\p{L}\p{N}_.-]+/u.exec(text)?.[0] ?? "";
  const rest = text.slice(name.length).trimStart();
  const end = isBodyOf(part, "attributes")
    ? ['"']
    : syntax.call
        .slice(awaited + 1)
        .map((next) => (typeof next === "string" ? next.trim() : isBody(next) ? beginningOf(next) : ""));
  const [first = ""] = end.filter((next) => next !== "");
  return rest === "" ? undefined : rest.startsWith(first.charAt(0));
}

/** The character that arguments begin with. */
function beginningOf(body: Body): string {
  if (body.body === "marked-elements") return body.mark.charAt(0);
  return (body.body === "elements" ? String(body.open[0]).trim() : factsOf(body).empty).charAt(0);
}

/** Whether the text begins with an attribute or the end of the tag; undefined while it is too short to decide. */
function attributeBegins(text: string): boolean | undefined {
  if (/^\/?>|^[\p{L}_][\p{L}\p{N}_.:-]*\s*=/u.test(text)) return true;
  return /^(?:\/|[\p{L}_][\p{L}\p{N}_.:-]*)?\s*$/u.test(text) ? undefined : false;
}

/** The marker at the beginning of a syntax's calls; for elements named after tools, that of `tool` or of any tool. */
function openerOf(syntax: Syntax, tool = ""): string | undefined {
  if (isToolElement(syntax)) return `<${tool}`;
  const [first] = openersOf(syntax);
  return first && markerOf(first);
}
