import { checkArgument } from "../check-argument.js";
import type { ProtocolName } from "../protocols/index.js";
import { ChatFormatError } from "./chat-format.js";
import { ChatTemplate } from "./chat-template.js";
import { probeArguments, probeName, withoutSpace, writtenProtocol } from "./written-protocol.js";

/**
 * The registered wire format that a model was trained on, detected from its chat template: Jinja as Hugging Face and
 * llama.cpp use it, or Go as Ollama uses it. `undefined` if the template shows no tools, writes calls in no registered
 * format, or cannot be read.
 *
 * @example nativeProtocol(await readFile("chat_template.jinja", "utf8")); // "hermes"
 */
export function nativeProtocol(template: string): ProtocolName | undefined {
  checkArgument("template", "string", template);
  // Go templates trim whitespace where an action requests it.
  if (isGo(template)) return writtenProtocol(renderedCall(template), withoutSpace);
  try {
    const { protocol } = new ChatTemplate(template);
    return protocol === "auto" ? undefined : protocol;
  } catch (error) {
    if (error instanceof ChatFormatError) return undefined;
    throw error;
  }
}

/** Jinja has statements in `{% %}`; variables in Go begin with a dot. */
const isGo = (template: string) => !template.includes("{%") && /\{\{-?\s*(?:\w+\s+){0,16}[.$]/.test(template);

/**
 * A Go template with a call inserted where it writes calls, and all other actions removed. The text that Ollama's
 * templates write around a call remains.
 */
function renderedCall(template: string): string {
  return template.replace(/\{\{-?([^{}]*)-?\}\}/g, (_, action: string) => {
    if (/\.Function\.Name\b/.test(action)) return probeName;
    if (/\.Function\.Arguments\b/.test(action) && !/\brange\b/.test(action)) return JSON.stringify(probeArguments);
    return "";
  });
}
