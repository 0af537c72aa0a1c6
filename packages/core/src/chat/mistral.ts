import { callsOf } from "../common/one-call-a-turn.js";
import { resultText } from "../tool-text/error-text.js";
import { functionOf, plainDefinition } from "../tool-text/index.js";
import { renderJson } from "../tool-text/render-json.js";
import type { ToolCall, ToolDefinition, ToolResult } from "../types.js";
import type { ChatFormat } from "./chat-format.js";
import { nineCharacterId, requireTurns, splitSystem } from "./conversation.js";

/** The differences between the generations of Mistral's tokenizers. */
interface Generation {
  /** The place of the system text: in a user turn, or in its own markers. */
  system: "first user" | "last user" | "own";
  /** The markers around a user's text (with the system text before it), and those around an assistant's text. */
  user: readonly [open: string, close: string];
  assistant: readonly [open: string, close: string];
  /** How tools, calls and results are written, in generations that were trained to call tools. */
  tools?: {
    protocol: "mistral" | "mistral-list";
    /** The place of the tools: before the last user message, or after the system text. */
    at: "last user" | "start";
    list(tools: readonly ToolDefinition[]): string;
    calls(calls: readonly ToolCall[]): string;
    result(result: ToolResult): string;
    /** Whether an assistant's text before its calls is kept; otherwise it is left out. */
    keepsText: boolean;
  };
}

function mistral(format: Pick<ChatFormat, "name" | "about">, generation: Generation): ChatFormat {
  const { user, assistant, system: place, tools: calling } = generation;
  return {
    ...format,
    stop: ["</s>"],
    protocol: calling?.protocol,
    render({ messages, tools, bos }) {
      const [system, turns] = splitSystem(messages);
      requireTurns(format, turns);
      const section = tools.length > 0 && calling ? calling.list(tools) : "";
      const toolsAt =
        calling?.at === "last user" ? turns.findLastIndex((message) => message.role === "user") : undefined;
      const systemAt = place === "first user" ? 0 : place === "last user" ? turns.length - 1 : undefined;
      const written = turns.map((message, index) => {
        if (message.role === "tool") return calling?.result(message) ?? "";
        const made = callsOf(message);
        if (message.role === "assistant" && calling && made.length > 0) {
          return (calling.keepsText ? message.content : "") + calling.calls(made);
        }
        if (message.role === "assistant") return assistant[0] + message.content + assistant[1];
        const before = system !== undefined && index === systemAt ? `${system}\n\n` : "";
        return (index === toolsAt ? section : "") + user[0] + before + message.content + user[1];
      });
      return [
        bos ? "<s>" : "",
        place === "own" && system !== undefined ? `[SYSTEM_PROMPT]${system}[/SYSTEM_PROMPT]` : "",
        calling?.at === "start" ? section : "",
        ...written,
      ].join("");
    },
  };
}

/** A tool as the templates up to v7 write it: strings directly in the function are not escaped. */
function toolAsWritten(tool: ToolDefinition): string {
  const fields = Object.entries(plainDefinition(tool)).map(
    ([key, value]) => `"${key}": ${typeof value === "string" ? `"${value}"` : renderJson(value)}`,
  );
  return `{"type": "function", "function": {${fields.join(", ")}}}`;
}
const listAsWritten = (tools: readonly ToolDefinition[]) => `[${tools.map(toolAsWritten).join(", ")}]`;
const listAsJson = (tools: readonly ToolDefinition[]) =>
  `[AVAILABLE_TOOLS]${renderJson(tools.map(functionOf))}[/AVAILABLE_TOOLS]`;

const callsAsJson = (calls: readonly ToolCall[]) =>
  renderJson(calls.map((call) => ({ name: call.name, arguments: call.arguments, id: nineCharacterId(call.id) })));
const idOf = (result: ToolResult) => nineCharacterId(result.toolCallId);

const bare = ["[INST]", "[/INST]"] as const;
const closed = ["", "</s>"] as const;

export const mistralV1 = mistral(
  {
    name: "mistral-v1",
    about: {
      models: "Mistral 7B v0.1 and v0.2, Mixtral 8x7B",
      source: "the chat template of mistralai/Mixtral-8x7B-Instruct-v0.1",
    },
  },
  { system: "first user", user: [" [INST] ", " [/INST]"], assistant: [" ", "</s>"] },
);

export const mistralV3 = mistral(
  {
    name: "mistral-v3",
    about: {
      models: "Mistral 7B v0.3, Mixtral 8x22B, Mistral Large 2407, Mistral Small 2409, Codestral 22B",
      source: "the chat template of mistralai/Mistral-7B-Instruct-v0.3; mistral-common, tokenizer v3",
    },
  },
  {
    system: "last user",
    user: [" [INST] ", " [/INST]"],
    assistant: [" ", " </s>"],
    tools: {
      protocol: "mistral-list",
      at: "last user",
      list: (tools) => ` [AVAILABLE_TOOLS] ${listAsWritten(tools)} [/AVAILABLE_TOOLS]`,
      calls: (calls) => ` [TOOL_CALLS] ${callsAsJson(calls)} </s>`,
      result: (result) =>
        ` [TOOL_RESULTS] {"call_id": "${idOf(result)}", "content": ${resultText(result)}} [/TOOL_RESULTS] `,
      keepsText: false,
    },
  },
);

export const mistralV3Tekken = mistral(
  {
    name: "mistral-v3-tekken",
    about: {
      models: "Mistral Nemo, Ministral 8B",
      source: "the chat template of mistralai/Mistral-Nemo-Instruct-2407",
    },
  },
  {
    system: "last user",
    user: bare,
    assistant: closed,
    tools: {
      protocol: "mistral-list",
      at: "last user",
      list: (tools) => `[AVAILABLE_TOOLS]${listAsWritten(tools)}[/AVAILABLE_TOOLS]`,
      calls: (calls) => `[TOOL_CALLS]${callsAsJson(calls)}</s>`,
      result: (result) =>
        `[TOOL_RESULTS]{"content": ${resultText(result)}, "call_id": "${idOf(result)}"}[/TOOL_RESULTS]`,
      keepsText: false,
    },
  },
);

export const mistralV7Tekken = mistral(
  {
    name: "mistral-v7-tekken",
    about: {
      models: "Mistral Small 3 and 3.1",
      source:
        "mistral-common, tokenizer v7; the chat template of mistralai/Mistral-Small-24B-Instruct-2501 has no tools",
    },
  },
  {
    system: "own",
    user: bare,
    assistant: closed,
    tools: {
      protocol: "mistral-list",
      at: "last user",
      list: listAsJson,
      calls: (calls) => `[TOOL_CALLS]${callsAsJson(calls)}</s>`,
      result: (result) => `[TOOL_RESULTS]${idOf(result)}[TOOL_CONTENT]${resultText(result)}[/TOOL_RESULTS]`,
      keepsText: false,
    },
  },
);

export const mistralV11 = mistral(
  {
    name: "mistral-v11",
    about: {
      models: "Mistral Small 3.2, Mistral Medium 3",
      source: "the chat template of mistralai/Mistral-Small-3.2-24B-Instruct-2506, save for its default system text",
    },
  },
  {
    system: "own",
    user: bare,
    assistant: closed,
    tools: {
      protocol: "mistral",
      at: "last user",
      list: listAsJson,
      calls: (calls) =>
        `${calls.map((call) => `[TOOL_CALLS]${call.name}[CALL_ID]${nineCharacterId(call.id)}[ARGS]${renderJson(call.arguments)}`).join("")}</s>`,
      result: (result) => `[TOOL_RESULTS]${idOf(result)}[TOOL_CONTENT]${resultText(result)}[/TOOL_RESULTS]`,
      keepsText: false,
    },
  },
);

export const mistralV13 = mistral(
  {
    name: "mistral-v13",
    about: {
      models: "Devstral, Magistral, Ministral 3, Mistral Large 3",
      source: "the chat template of mistralai/Ministral-3-14B-Reasoning-2512, save for its default system text",
    },
  },
  {
    system: "own",
    user: bare,
    assistant: closed,
    tools: {
      protocol: "mistral",
      at: "start",
      list: listAsJson,
      calls: (calls) =>
        `${calls.map((call) => `[TOOL_CALLS]${call.name}[ARGS]${renderJson(call.arguments)}`).join("")}</s>`,
      result: (result) => `[TOOL_RESULTS]${resultText(result)}[/TOOL_RESULTS]`,
      keepsText: true,
    },
  },
);
