import { openaiResponses } from "@toolingua/core/providers";
import { z } from "zod";
import { Failure } from "../failure.js";
import type { ResponseMemory } from "../store/response-memory.js";
import type { StoredResponse } from "../store/response-store.js";
import { type Api, allowsSome, answerSchemaOf, customTools, type TurnRequest } from "./api.js";
import { NO_LOGPROBS, notServed } from "./field-names.js";
import { refuseUnreadItems } from "./input-items.js";
import { openaiError } from "./openai-errors.js";
import { effort, fieldsOf, isThinkingOff, passedFields } from "./passed-fields.js";
import { ResponsesWriter } from "./responses-writer.js";
import { answerType, count, jsonSchema, named, openaiSettings, readConversation, readSettings } from "./settings.js";
import { refuseUnknownType } from "./tool-choice.js";
import { refuseResponsesTools } from "./tool-types.js";

// OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses/create

const settings = z.looseObject({
  ...openaiSettings,
  input: z.union([z.string(), z.array(z.unknown())], { error: "must be a string or a list of items" }),
  max_output_tokens: count,
  parallel_tool_calls: z.boolean().nullish(),
  previous_response_id: z.string({ error: "must be the id of a response" }).nullish(),
  store: z.boolean().nullish(),
  text: named({ format: z.looseObject({ type: answerType, schema: jsonSchema }).nullish() }).nullish(),
  reasoning: named({ effort }).nullish(),
});

const otherFields = ["instructions", "tools", "tool_choice"];

/** Responses. A gateway with a store keeps them unless `store` is false. Tools of unknown types are ignored. */
export const responsesApi: Api = {
  name: "responses",
  answerSchemas: [["text", "format", "schema"]],
  error: openaiError,
  async read(body, { memory, sees }) {
    const asked = readSettings("responses", settings, body, [...otherFields, ...passedFields]);
    if (Array.isArray(asked.include) && asked.include.includes("message.output_text.logprobs"))
      throw notServed("include", `\`include\`: log probabilities are not supported: ${NO_LOGPROBS}.`);
    const input = [...(await itemsBefore(asked.previous_response_id, memory)), ...itemsOf(asked.input)];
    if (input.length === 0)
      throw new Failure("invalid", "`input` needs at least one item.", { param: "input", code: "empty_array" });
    refuseResponsesTools(asked.tools);
    refuseUnknownType(asked.tool_choice, asked.tools);
    if (Array.isArray(asked.input)) refuseUnreadItems(asked.input, "/input");
    if (Array.isArray(asked.instructions)) refuseUnreadItems(asked.instructions, "/instructions");
    const { value: conversation } = readConversation(openaiResponses, { ...asked, input }, sees(asked.model));
    const isStored = memory.isConfigured && asked.store !== false;
    const request: Omit<TurnRequest, "writer"> = {
      model: asked.model,
      stream: asked.stream === true,
      conversation,
      options: {
        maxTokens: asked.max_output_tokens ?? undefined,
        temperature: asked.temperature ?? undefined,
        fields: fieldsOf({ ...asked, reasoning_effort: asked.reasoning?.effort ?? asked.reasoning_effort }),
        ...(isThinkingOff(asked.chat_template_kwargs) && { startWithReasoning: false }),
        parallel: asked.parallel_tool_calls ?? undefined,
        answerSchema: answerSchemaOf(asked.text?.format, "text.format.schema"),
      },
      hasForbidden: allowsSome(asked.tool_choice),
      reasoning: true,
      choices: 1,
    };
    const { tools } = asked;
    const echoed = { ...asked, store: isStored };
    return {
      ...request,
      writer: () => new ResponsesWriter(echoed, customTools(tools), namespaces(tools)),
      ...(isStored && { keep: (answer: unknown) => memory.put(input, answer as StoredResponse["response"]) }),
    };
  },
};

/**
 * The items up to and including an earlier response. Errors: {@link Failure} `invalid` without a store, or if there is none.
 */
async function itemsBefore(id: string | null | undefined, memory: ResponseMemory): Promise<unknown[]> {
  const param = "previous_response_id";
  if (id == null) return [];
  if (!memory.isConfigured)
    throw notServed(param, `\`${param}\` is not supported without a store: send the whole conversation as \`input\`.`);
  const { input, response } = await memory.get(id, param);
  return [...input, ...response.output];
}

const itemsOf = (input: string | unknown[]): unknown[] =>
  typeof input === "string" ? [{ type: "message", role: "user", content: input }] : input;

/** The namespace of each tool that is in a namespace. */
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
