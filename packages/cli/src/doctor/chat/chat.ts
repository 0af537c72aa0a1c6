import { at, listAt, textAt } from "../../json.js";
import { bearer } from "../../model-source/bearer.js";
import type { Api } from "../api.js";
import { errorChecks } from "../checks/errors.js";
import { missedCalls } from "../checks/missed-calls.js";
import { shapeChecks } from "../checks/shapes.js";
import { toolChoiceChecks } from "../checks/tool-choice.js";
import { transportChecks } from "../checks/transport.js";
import { wrongMessages } from "../wrong-messages.js";
import { streamChecks, wholeChecks } from "./checks.js";
import { readChat } from "./read.js";
import { chatBody, chatShapes } from "./requests.js";

/** Whether a chunk contains text of the model. */
function isText(json: unknown): boolean {
  const delta = at(json, "choices", 0, "delta");
  const texts = ["content", "reasoning_content", "reasoning"].some((name) => textAt(delta, name));
  return texts || listAt(delta, "tool_calls").length > 0;
}

/** OpenAI's Chat Completions. */
export const chat: Api = {
  name: "chat",
  title: "Chat Completions",
  path: "/chat/completions",
  headers: bearer,
  body: chatBody,
  read: readChat,
  isText,
  shapes: chatShapes,
  wrong: wrongMessages,
  checks: [
    ...errorChecks("chat", {
      source: "https://platform.openai.com/docs/guides/error-codes",
      shape: "`{ error: { message, type, param, code } }`.",
      wrong: openaiErrorProblem,
    }),
    ...shapeChecks("chat", [
      {
        request: "content as parts",
        says: "`content` is a text or a list of parts.",
        breaks: { "ai-sdk": "its messages with parts are refused", langchain: "its messages with parts are refused" },
      },
      {
        request: "developer message",
        says: "Instructions have the role `developer` since o1, and `system` before.",
        breaks: { "ai-sdk": "its instructions to reasoning models are refused", "openai-sdk": "newer code is refused" },
      },
      {
        request: "result as parts",
        says: "`content` of a tool's message is a text or a list of parts.",
        breaks: { langchain: "results of tools with parts are refused" },
      },
      {
        request: "newer fields",
        says: "`max_completion_tokens`, `store`, `metadata`, `strict` and others; what is not known is passed over.",
        breaks: {
          "openai-sdk": "requests of newer code are refused",
          "ai-sdk": "requests are refused",
          langchain: "requests are refused",
          "openai-agents": "requests are refused: it sends `store` and `strict`",
        },
      },
    ]),
    ...toolChoiceChecks("chat", {
      source: "https://platform.openai.com/docs/api-reference/chat/create#chat-create-tool_choice",
      required: '`tool_choice: "required"`: the model must call one or more tools.',
      named: '`tool_choice: { type: "function", function: { name } }`: the model must call this tool.',
      none: '`tool_choice: "none"`: the model calls no tool.',
      single: "`parallel_tool_calls: false`: at most one call.",
    }),
    missedCalls("chat"),
    ...wholeChecks,
    ...transportChecks("chat", isText),
    ...streamChecks,
  ],
};

/** The problem of an error in the shape of OpenAI's APIs. */
export function openaiErrorProblem(body: unknown): string | undefined {
  if (textAt(body, "error", "message") === undefined) return "has no `error.message`";
  return textAt(body, "error", "type") === undefined ? "has no `error.type`" : undefined;
}
