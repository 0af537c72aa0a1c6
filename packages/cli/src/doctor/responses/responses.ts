import { quoted, typeOf } from "../../json.js";
import { bearer } from "../../model-source/bearer.js";
import type { Api } from "../api.js";
import { openaiErrorProblem } from "../chat/chat.js";
import { type Check, pass, unseen } from "../check.js";
import { errorChecks } from "../checks/errors.js";
import { missedCalls } from "../checks/missed-calls.js";
import { shapeChecks } from "../checks/shapes.js";
import { toolChoiceChecks } from "../checks/tool-choice.js";
import { transportChecks } from "../checks/transport.js";
import { alike } from "../clients.js";
import { streamChecks, wholeChecks } from "./checks.js";
import { readResponses } from "./read.js";
import { LOST, responsesBody, responsesShapes, wrongResponses } from "./requests.js";

const create = "https://platform.openai.com/docs/api-reference/responses/create";

const isText = (json: unknown): boolean => typeOf(json).endsWith(".delta");

/** An unknown `previous_response_id` must be an error: the conversation would be lost. */
const lostResponse: Check = {
  id: "responses.previous",
  title: "A previous_response_id that is not there is refused",
  level: "fault",
  says: "`previous_response_id` is the id of a stored response; 400 or 404 for another.",
  source: create,
  breaks: {
    "openai-sdk": "the conversation so far is lost without a word",
    "ai-sdk": "`previousResponseId`: the conversation so far is lost without a word",
    langchain: "`previous_response_id`: the conversation so far is lost without a word",
    "openai-agents": "`previousResponseId`: the conversation so far is lost without a word",
  },
  judge({ wrong }, level) {
    const exchange = wrong.find(({ name }) => name === LOST)?.exchange;
    if (!exchange || exchange.status === 0) return unseen("it was not answered");
    const { status, text } = exchange;
    return status >= 400 ? pass(`${status}`) : { status: level, seen: `${status}: ${quoted(text)}` };
  },
};

/** OpenAI's Responses. */
export const responses: Api = {
  name: "responses",
  title: "Responses",
  path: "/responses",
  headers: bearer,
  body: responsesBody,
  read: readResponses,
  isText,
  shapes: responsesShapes,
  wrong: wrongResponses,
  checks: [
    ...errorChecks("responses", {
      source: "https://platform.openai.com/docs/guides/error-codes",
      shape: "`{ error: { message, type, param, code } }`; in a stream `error` and `response.failed`.",
      wrong: openaiErrorProblem,
    }),
    ...shapeChecks("responses", [
      {
        request: "input as text",
        says: "`input` is a text or a list of items.",
        source: create,
        breaks: { "openai-sdk": "the simplest request is refused" },
      },
      {
        request: "Codex's request",
        says: "Twelve fields, and tools of the types function, custom, namespace and web_search: unknown ones are passed over.",
        source: "https://github.com/openai/codex",
        breaks: { codex: "every request is refused" },
      },
      {
        request: "reasoning items",
        says: "Items of `reasoning` come back with the conversation.",
        source: create,
        breaks: alike(["codex", "openai-agents", "ai-sdk"], "the second turn is refused"),
      },
    ]),
    lostResponse,
    ...toolChoiceChecks("responses", {
      source: "https://platform.openai.com/docs/api-reference/responses/create#responses-create-tool_choice",
      required: '`tool_choice: "required"`: the model must call one or more tools.',
      named: '`tool_choice: { type: "function", name }`: the model must call this tool.',
      none: '`tool_choice: "none"`: the model calls no tool.',
      single: "`parallel_tool_calls: false`: at most one call.",
    }),
    missedCalls("responses"),
    ...wholeChecks,
    ...transportChecks("responses", isText),
    ...streamChecks,
  ],
};
