import { callsOf } from "../common/one-call-a-turn.js";
import { resultText } from "../tool-text/error-text.js";
import { indentedFunctionJson } from "../tool-text/index.js";
import { renderJson } from "../tool-text/render-json.js";
import type { ChatMessage } from "../types.js";
import { type ChatFormat, ChatFormatError, type Conversation } from "./chat-format.js";
import { splitSystem } from "./conversation.js";
import { strftime } from "./strftime.js";

const turn = (role: string, content: string) => `<|start_header_id|>${role}<|end_header_id|>\n\n${content}<|eot_id|>`;
const opening = "<|start_header_id|>assistant<|end_header_id|>\n\n";
const bosOf = ({ bos }: Conversation) => (bos ? "<|begin_of_text|>" : "");

/** A format without tools. */
export const llama3: ChatFormat = {
  name: "llama3",
  about: { models: "Llama 3", source: "the chat template of meta-llama/Meta-Llama-3-8B-Instruct" },
  stop: ["<|eot_id|>"],
  render: (conversation) =>
    bosOf(conversation) +
    conversation.messages.map(({ role, content }) => turn(role, content.trim())).join("") +
    opening,
};

const instruction =
  "Given the following functions, please respond with a JSON for a function call with its proper arguments that best " +
  'answers the given prompt.\n\nRespond in the format {"name": function name, "parameters": dictionary of argument name ' +
  "and its value}.Do not use variables.\n\n";

/**
 * A format from Llama 3.1 on: there is always a system turn, which contains the date; tools are in the first user turn,
 * and results in turns of the role `ipython`.
 */
function llama31(format: Pick<ChatFormat, "name" | "about">, today: () => Date): ChatFormat {
  return {
    ...format,
    stop: ["<|eot_id|>", "<|eom_id|>"],
    protocol: "llama3-json",
    render(conversation) {
      const { tools, date = today() } = conversation;
      const [system = "", messages] = splitSystem(conversation.messages);
      const environment = tools.length > 0 ? "Environment: ipython\n" : "";
      const head = `${environment}Cutting Knowledge Date: December 2023\nToday Date: ${strftime(date, "%d %b %Y")}\n\n`;
      return [
        bosOf(conversation) + turn("system", head + system.trim()),
        ...(tools.length > 0 ? withTools(messages, tools.map(indentedFunctionJson)) : messages.map(written)),
        opening,
      ].join("");
    },
  };
}

function withTools([first, ...rest]: readonly ChatMessage[], tools: readonly string[]): string[] {
  if (first?.role !== "user") {
    throw new ChatFormatError("refused", "Llama 3.1 shows tools in the first user message, and there is none.");
  }
  return [turn("user", `${instruction}${tools.join("\n\n")}\n\n${first.content.trim()}`), ...rest.map(written)];
}

function written(message: ChatMessage): string {
  if (message.role === "tool") return turn("ipython", renderJson(resultText(message)));
  const [call, second] = callsOf(message);
  if (!call) return turn(message.role, message.content.trim());
  if (second) throw new ChatFormatError("refused", "This model only supports single tool-calls at once!");
  return turn("assistant", `{"name": "${call.name}", "parameters": ${renderJson(call.arguments)}}`);
}

/** States the date of its release by default, as the template does. */
export const llama31Format = llama31(
  {
    name: "llama3.1",
    about: { models: "Llama 3.1, Llama 3.3", source: "the chat template of meta-llama/Llama-3.1-8B-Instruct" },
  },
  () => new Date(2024, 6, 26),
);

export const llama32Format = llama31(
  { name: "llama3.2", about: { models: "Llama 3.2", source: "the chat template of meta-llama/Llama-3.2-3B-Instruct" } },
  () => new Date(),
);
