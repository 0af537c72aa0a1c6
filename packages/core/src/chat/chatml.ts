import { callsOf } from "../common/one-call-a-turn.js";
import { hermes } from "../protocols/hermes.js";
import { listTools } from "../tool-text/index.js";
import type { ChatMessage, ToolResult } from "../types.js";
import type { ChatFormat } from "./chat-format.js";
import { splitSystem } from "./conversation.js";

/** A format with each message between `<|im_start|>role` and `<|im_end|>`; tools, calls and results as in `hermes`. */
function chatml(
  format: Pick<ChatFormat, "name" | "about">,
  { defaultSystem, reasoning = false }: { defaultSystem?: string; reasoning?: boolean } = {},
): ChatFormat {
  return {
    ...format,
    stop: ["<|im_end|>"],
    protocol: "hermes",
    render({ messages, tools }) {
      const [given, rest] = splitSystem(messages);
      const section = tools.length > 0 ? hermes.renderTools(tools, native) : undefined;
      const system = [given ?? defaultSystem, section].filter((text) => text !== undefined).join("\n\n");
      const lastQuestion = reasoning ? rest.findLastIndex((message) => message.role === "user") : Infinity;
      const turns: string[] = [];
      for (let at = 0; at < rest.length; at++) {
        const message = rest[at]!;
        if (message.role !== "tool") {
          turns.push(turn(message, at > lastQuestion, at === rest.length - 1));
          continue;
        }
        // Consecutive results share one turn of the user.
        const results: ToolResult[] = [];
        for (let next = rest[at]; next?.role === "tool"; next = rest[++at]) results.push(next);
        at--;
        turns.push(block("user", hermes.renderResults(results, { tools })));
      }
      return [
        ...(given === undefined && system === "" ? [] : [block("system", system)]),
        ...turns,
        "<|im_start|>assistant\n",
      ].join("");

      function turn(message: ChatMessage, thinks: boolean, isLast: boolean): string {
        const calls = callsOf(message);
        const thought = thinks && message.role === "assistant" ? think(message, isLast) : "";
        const content = thought === "" ? message.content : message.content.replace(/^\n+/, "");
        const written = calls.length > 0 ? [hermes.renderCalls(calls, { tools })] : [];
        return block(
          message.role,
          thought + [...(content === "" && written.length > 0 ? [] : [content]), ...written].join("\n"),
        );
      }
    },
  };
}

const native = { style: "native", toolChoice: "auto", parallel: true, listTools } as const;
const block = (role: string, content: string) => `<|im_start|>${role}\n${content}<|im_end|>\n`;

/** The reasoning since the last question is shown again; the last message has at least an empty block for it. */
function think({ reasoning = "" }: { reasoning?: string }, isLast: boolean): string {
  return reasoning !== "" || isLast ? `<think>\n${reasoning.replace(/^\n+|\n+$/g, "")}\n</think>\n\n` : "";
}

export const plainChatml = chatml({
  name: "chatml",
  about: {
    models: "OpenHermes, Hermes 2 and 3, Dolphin, SmolLM 2 and other models with ChatML turns",
    source: "OpenAI's chat markup language; tools as Qwen 3 shows them",
  },
});

export const qwen25 = chatml(
  {
    name: "qwen2.5",
    about: { models: "Qwen 2.5, Qwen 2.5 Coder", source: "the chat template of Qwen/Qwen2.5-7B-Instruct" },
  },
  { defaultSystem: "You are Qwen, created by Alibaba Cloud. You are a helpful assistant." },
);

export const qwen3 = chatml(
  { name: "qwen3", about: { models: "Qwen 3", source: "the chat template of Qwen/Qwen3-0.6B" } },
  { reasoning: true },
);
