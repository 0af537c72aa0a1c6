import type { Body, Protocol, Syntax } from "../protocol.js";
import type { ToolChoice, ToolDefinition } from "../types.js";
import { openerOf } from "./markers.js";

/** What the model is told when it must call; it stands at the end of the last user message. */
export function toolChoiceNotice(toolChoice: ToolChoice): string | undefined {
  if (toolChoice === "required") return "Answer this with a tool call.";
  return typeof toolChoice === "object" ? `Answer this by calling the tool ${toolChoice.name}.` : undefined;
}

/** The tool that must be called: the one that was named, or the only one there is. */
export function forcedTool(toolChoice: ToolChoice, tools: readonly ToolDefinition[]): string | undefined {
  if (typeof toolChoice === "object") return toolChoice.name;
  return toolChoice === "required" && tools.length === 1 ? tools[0]?.name : undefined;
}

/**
 * How a call begins, so that the model can only go on with it: up to where its arguments begin when the tool is given,
 * else up to where the name or the body begins. `undefined` for a syntax that has no marker to begin with.
 * Trailing space is left to the model: most tokenizers join it to what follows.
 *
 * @example
 * callOpening(hermes, "now"); // <tool_call>\n{"name": "now", "arguments":
 * callOpening(xml); // <tool_call>\n<name>
 */
export function callOpening(protocol: Protocol, tool?: string): string | undefined {
  const { syntax } = protocol;
  if (!openerOf(syntax)) return undefined;
  if (tool === undefined) {
    const end = syntax.call.findIndex((part) => typeof part !== "string");
    return ((syntax.block?.open ?? "") + syntax.call.slice(0, end).join("")).trimEnd();
  }
  // The call without arguments, less its end, is how every call of this tool begins.
  const whole = protocol.renderCalls([{ name: tool, arguments: {} }], { tools: [] });
  const at = syntax.call.findIndex((part) => isBody(part));
  const tail = syntax.call.slice(at + 1).join("") + (syntax.block?.close ?? "");
  const body = syntax.call[at] as Body;
  return whole.slice(0, whole.length - tail.length - EMPTY[body.body].length).trimEnd();
}

/** How a body without arguments ends, from where they would begin. */
const EMPTY: Record<Body["body"], string> = {
  json: "{}",
  "json-call": "{}}",
  "keyed-call": "{}}",
  "python-arguments": "()",
  elements: "",
};

/**
 * Whether a reply goes on from {@link callOpening} or starts anew, as a model does that takes no prefill: with the
 * call's own marker, or with words where only a call could go on. `undefined` while the reply is too short to tell.
 */
export function goesOn(syntax: Syntax, tool: string | undefined, reply: string): boolean | undefined {
  const text = reply.trimStart();
  const opener = openerOf(syntax) ?? "";
  if (text.length < opener.length && opener.startsWith(text)) return undefined;
  if (text.startsWith(opener)) return false;
  const awaited = syntax.call.findIndex((part) => typeof part !== "string" && (tool === undefined || isBody(part)));
  const part = syntax.call[awaited];
  if (part && isBody(part)) return text.startsWith(beginningOf(part));
  // A name goes on when nothing but what ends it comes before any space.
  const name = /^[\p{L}\p{N}_.-]+/u.exec(text)?.[0] ?? "";
  const rest = text.slice(name.length).trimStart();
  const end = syntax.call
    .slice(awaited + 1)
    .map((next) => (typeof next === "string" ? next.trim() : isBody(next) ? beginningOf(next) : ""));
  const [first = ""] = end.filter((next) => next !== "");
  return rest === "" ? undefined : rest.startsWith(first.charAt(0));
}

/** The character that arguments begin with. */
const beginningOf = (body: Body) =>
  (body.body === "elements" ? String(body.open[0]).trim() : EMPTY[body.body]).charAt(0);

const isBody = (part: Syntax["call"][number]): part is Body => typeof part === "object" && "body" in part;
