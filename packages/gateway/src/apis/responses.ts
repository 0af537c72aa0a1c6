import { openaiResponses } from "@toolingua/core/providers";
import { z } from "zod";
import { Failure } from "../failure.js";
import { type Api, answerSchemaOf, customTools, type TurnRequest } from "./api.js";
import { openaiError } from "./openai-errors.js";
import { ResponsesWriter } from "./responses-writer.js";
import { count, given, readSettings, refuseMedia, sharedSettings } from "./settings.js";

// OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses/create

const settings = z.looseObject({
  ...sharedSettings,
  input: z.union([z.string(), z.array(z.unknown())], { error: "is a string or a list of items" }),
  max_output_tokens: count,
  parallel_tool_calls: z.boolean().nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
});

/** What needs a memory that the gateway does not have, and what to do instead. */
const stateful: Record<string, string> = {
  previous_response_id: "send the whole conversation as `input`",
  conversation: "send the whole conversation as `input`",
  prompt: "send its text as `instructions` or `input`",
  background: "wait for the answer, or stream it",
};

/** Responses, without memory: each request brings the whole conversation. Types of tools that are not known are left out. */
export const responsesApi: Api = {
  name: "responses",
  error: openaiError,
  read(body) {
    const asked = readSettings(settings, body);
    for (const [param, instead] of Object.entries(stateful)) {
      if (asked[param])
        throw notStored(param, `\`${param}\` is not supported, for nothing is stored here: ${instead}.`);
    }
    const { value: conversation, losses } = openaiResponses.fromRequest(asked as never);
    refuseMedia(losses);
    if (losses.some(({ what }) => what === "item_reference"))
      throw notStored(
        "input",
        "Nothing is stored here, so items cannot be referred to: send them whole (`store: false`).",
      );
    const request: Omit<TurnRequest, "writer"> = {
      model: asked.model,
      stream: asked.stream === true,
      conversation,
      options: {
        maxTokens: asked.max_output_tokens ?? undefined,
        temperature: asked.temperature ?? undefined,
        fields: given(asked, "top_p", "top_k"),
        parallel: asked.parallel_tool_calls ?? undefined,
        answerSchema: answerSchemaOf(asked.text?.format),
      },
      reasoning: true,
      choices: 1,
    };
    const { tools } = asked;
    return { ...request, writer: () => new ResponsesWriter(asked, customTools(tools), namespaces(tools)) };
  },
};

const notStored = (param: string, message: string) =>
  new Failure("invalid", message, { param, code: "unsupported_parameter" });

/** The namespace of each tool that is in one. */
function namespaces(tools: unknown): ReadonlyMap<string, string> {
  const list = Array.isArray(tools)
    ? (tools as { type?: unknown; name?: unknown; tools?: { name?: unknown }[] }[])
    : [];
  return new Map(
    list.flatMap(({ type, name, tools: inside = [] }) =>
      type === "namespace" ? inside.map((tool) => [String(tool.name), String(name)] as const) : [],
    ),
  );
}
