import type { ProtocolName } from "../protocols/index.js";
import { ChatFormatError } from "./chat-format.js";
import { ChatTemplate } from "./chat-template.js";
import { probeArguments, probeName, writtenProtocol } from "./written-protocol.js";

/**
 * The registered wire format that a model was trained on, from its chat template: Jinja as Hugging Face and llama.cpp have
 * it, or Go as Ollama has it. `undefined` where the template shows no tools, writes calls in no registered format, or cannot be read.
 *
 * @example nativeProtocol(await readFile("chat_template.jinja", "utf8")); // "hermes"
 */
export function nativeProtocol(template: string): ProtocolName | undefined {
  if (isGo(template)) return writtenProtocol(renderedCall(template), withoutSpace);
  try {
    const { protocol } = new ChatTemplate(template);
    return protocol === "auto" ? undefined : protocol;
  } catch (error) {
    if (error instanceof ChatFormatError) return undefined;
    throw error;
  }
}

/** Jinja has statements in `{% %}`; Go names what it is given with a dot first. */
const isGo = (template: string) => !template.includes("{%") && /\{\{-?\s*(?:\w+\s+)*[.$]/.test(template);

/**
 * A Go template with a call put where it writes calls, and all its other actions left out: what Ollama's templates write around
 * a call stands in them as it is.
 */
function renderedCall(template: string): string {
  return template.replace(/\{\{-?([^{}]*)-?\}\}/g, (_, action: string) => {
    if (/\.Function\.Name\b/.test(action)) return probeName;
    if (/\.Function\.Arguments\b/.test(action) && !/\brange\b/.test(action)) return JSON.stringify(probeArguments);
    return "";
  });
}

/** Go templates trim space where an action says so; no format is told from another by its space. */
const withoutSpace = (text: string) => text.replace(/\s+/g, "");
