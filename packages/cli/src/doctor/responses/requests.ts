import type { Request, Settings } from "../api.js";
import { type Choice, made, type Scenario, said, type Tool, weather } from "../scenarios.js";

// https://platform.openai.com/docs/api-reference/responses/create

const toolOf = ({ name, description, parameters }: Tool) => ({
  ...{ type: "function", name, description, parameters },
  strict: false,
});

const choiceOf = (choice: Choice): unknown =>
  typeof choice === "string" ? choice : { type: "function", name: choice.name };

const user = (text: string) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });

const results = [
  user(said.weather),
  { type: "function_call", call_id: made.id, name: made.name, arguments: made.arguments },
  { type: "function_call_output", call_id: made.id, output: made.result },
];

/** A request for a scenario. */
export function responsesBody(scenario: Scenario, { model, maxTokens }: Settings): object {
  const { turn, stream, tools, choice, parallel } = scenario;
  return {
    model,
    input: turn === "results" ? results : [user(said[turn])],
    max_output_tokens: maxTokens,
    store: false,
    ...(stream && { stream }),
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    ...(choice && { tool_choice: choiceOf(choice) }),
    ...(parallel === false && { parallel_tool_calls: false }),
  };
}

/** Requests as certain clients send them. */
export function responsesShapes({ model }: Settings): Request[] {
  return [
    { name: "input as text", body: { model, input: said.greeting, max_output_tokens: 16 } },
    {
      // The fields and tool types that Codex sends.
      name: "Codex's request",
      headers: { originator: "codex_exec", accept: "text/event-stream" },
      body: {
        model,
        input: [{ ...user("<environment_context></environment_context>"), role: "developer" }, user(said.greeting)],
        instructions: "You are a coding agent.",
        tools: [
          toolOf(weather),
          { type: "custom", name: "apply_patch", description: "Changes files", format: { type: "text" } },
          {
            type: "namespace",
            name: "files",
            description: "Files",
            tools: [{ ...toolOf(weather), name: "read_file" }],
          },
          { type: "web_search", external_web_access: false },
        ],
        ...{ tool_choice: "auto", parallel_tool_calls: true, store: false, stream: true },
        ...{
          include: ["reasoning.encrypted_content"],
          prompt_cache_key: "doctor",
          client_metadata: { from: "doctor" },
        },
        reasoning: { effort: "low", summary: "auto" },
      },
    },
    {
      name: "reasoning items",
      body: {
        ...{ model, max_output_tokens: 16, store: false, tools: [toolOf(weather)] },
        input: [
          results[0],
          { type: "reasoning", id: "rs_1", summary: [], encrypted_content: null },
          ...results.slice(1),
        ],
      },
    },
  ];
}

/** Requests that a server must reject. */
export function wrongResponses({ model }: Settings): Request[] {
  const unknown = { model: "no-such-model-of-the-doctor", input: said.greeting, max_output_tokens: 16 };
  const lost = { model, input: "And now?", previous_response_id: "resp_of_the_doctor_that_is_not_there" };
  return [
    { name: "unknown model", body: unknown },
    { name: "unknown model, streamed", body: { ...unknown, stream: true } },
    { name: "no JSON", body: '{"model": "' },
    { name: "input that is a number", body: { model, input: 7, max_output_tokens: 16 } },
    { name: "input that is a number, streamed", body: { model, input: 7, max_output_tokens: 16, stream: true } },
    { name: LOST, body: { ...lost, max_output_tokens: 16 } },
  ];
}

/** A request that continues an unknown response. */
export const LOST = "unknown previous_response_id";
