import { shallowJson } from "@toolingua/core/adapters";
import { at, quoted, textAt, typeOf } from "../../json.js";
import type { Api } from "../api.js";
import { type Check, pass, unseen } from "../check.js";
import { errorChecks } from "../checks/errors.js";
import { missedCalls } from "../checks/missed-calls.js";
import { shapeChecks } from "../checks/shapes.js";
import { toolChoiceChecks } from "../checks/tool-choice.js";
import { transportChecks } from "../checks/transport.js";
import { alike } from "../clients.js";
import { wrongMessages } from "../wrong-messages.js";
import { streamChecks, wholeChecks } from "./checks.js";
import { readMessages } from "./read.js";
import { COUNT, messagesBody, messagesShapes } from "./requests.js";

const create = "https://docs.anthropic.com/en/api/messages";
const gatewayGuide = "https://code.claude.com/docs/en/llm-gateway-protocol";

const isText = (json: unknown): boolean => typeOf(json) === "content_block_delta";

const counted: Check = {
  id: "messages.count-tokens",
  title: "Tokens are counted",
  level: "warning",
  says: "`POST /v1/messages/count_tokens` gives `{ input_tokens }`.",
  source: "https://docs.anthropic.com/en/api/messages-count-tokens",
  breaks: { "claude-code": "guesses how full the context is", "anthropic-sdk": "`countTokens` throws" },
  judge({ shapes }, level) {
    const exchange = shapes.find(({ name }) => name === COUNT)?.exchange;
    if (!exchange) return unseen("it was not asked");
    const count = at(shallowJson(exchange.text), "input_tokens");
    if (exchange.status === 200 && typeof count === "number" && count > 0) return pass(`${count} tokens`);
    return { status: level, seen: `${exchange.status}: ${quoted(exchange.text)}` };
  },
};

/** The problem of an error in the shape of Anthropic's API. */
function errorProblem(body: unknown): string | undefined {
  if (textAt(body, "error", "message") === undefined) return "has no `error.message`";
  if (textAt(body, "error", "type") === undefined) return "has no `error.type`";
  return typeOf(body) === "error" ? undefined : 'is not of the type "error"';
}

/** Anthropic's Messages. */
export const messages: Api = {
  name: "messages",
  title: "Messages",
  path: "/messages",
  headers: (key) => ({ "anthropic-version": "2023-06-01", ...(key !== undefined && { "x-api-key": key }) }),
  body: messagesBody,
  read: readMessages,
  isText,
  shapes: messagesShapes,
  wrong: wrongMessages,
  checks: [
    ...errorChecks("messages", {
      source: "https://docs.anthropic.com/en/api/errors",
      shape: '`{ type: "error", error: { type, message } }`; in a stream `event: error`.',
      wrong: errorProblem,
    }),
    ...shapeChecks("messages", [
      {
        request: "system as blocks",
        says: "`system` and `content` are texts or lists of blocks, which may have `cache_control`.",
        source: create,
        breaks: {
          "claude-code": "every request is refused",
          "ai-sdk": "every request is refused",
          langchain: "messages with blocks are refused",
        },
      },
      {
        request: "beta fields",
        says: "Beta headers, `?beta=true` and fields that are not known are passed over, and not refused.",
        source: gatewayGuide,
        breaks: { "claude-code": "every request is refused: it takes an unknown model for the newest Claude" },
      },
      {
        request: "system message",
        says: "A message may have the role `system`, also the last one.",
        source: gatewayGuide,
        breaks: { "claude-code": "requests are refused since 2.1.154" },
      },
      {
        request: "result as blocks",
        says: "`content` of a `tool_result` is a text or a list of blocks; text may follow it.",
        source: create,
        breaks: alike(["claude-code", "ai-sdk", "langchain"], "the turn after a tool is refused"),
      },
    ]),
    counted,
    ...toolChoiceChecks("messages", {
      source: "https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use#forcing-tool-use",
      required: '`tool_choice: { type: "any" }`: the model must call one of the tools.',
      named: '`tool_choice: { type: "tool", name }`: the model must call this tool.',
      none: '`tool_choice: { type: "none" }`: the model calls no tool.',
      single: "`disable_parallel_tool_use: true`: at most one call.",
    }),
    missedCalls("messages"),
    ...wholeChecks,
    ...transportChecks("messages", isText),
    ...streamChecks,
  ],
};
