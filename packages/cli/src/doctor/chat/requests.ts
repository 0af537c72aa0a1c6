import type { Request, Settings } from "../api.js";
import { type Choice, made, type Scenario, said, type Tool, weather } from "../scenarios.js";

// https://platform.openai.com/docs/api-reference/chat/create

const toolOf = ({ name, description, parameters }: Tool) => ({
  type: "function",
  function: { name, description, parameters },
});

const choiceOf = (choice: Choice): unknown =>
  typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };

const user = (content: unknown) => ({ role: "user", content });

/** A history as clients send it: the message with the call has no text. */
const results = [
  user(said.weather),
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: made.id, type: "function", function: { name: made.name, arguments: made.arguments } }],
  },
  { role: "tool", tool_call_id: made.id, content: made.result },
];

/** A request for a scenario. */
export function chatBody(scenario: Scenario, { model, maxTokens }: Settings): object {
  const { turn, stream, tools, choice, parallel } = scenario;
  return {
    model,
    messages: turn === "results" ? results : [user(said[turn])],
    max_tokens: maxTokens,
    ...(stream && { stream }),
    // The other streams do not request usage: then none may come.
    ...(stream && turn === "count" && { stream_options: { include_usage: true } }),
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    ...(choice && { tool_choice: choiceOf(choice) }),
    ...(parallel === false && { parallel_tool_calls: false }),
  };
}

/** Requests as certain clients send them. */
export function chatShapes({ model }: Settings): Request[] {
  const asked = { model, max_tokens: 16, messages: [user(said.greeting)] };
  const parts = (text: string) => [{ type: "text", text }];
  return [
    {
      name: "content as parts",
      body: {
        ...asked,
        messages: [{ role: "system", content: parts("Be brief.") }, user(parts(said.greeting))],
      },
    },
    {
      name: "developer message",
      body: { ...asked, messages: [{ role: "developer", content: "Be brief." }, ...asked.messages] },
    },
    {
      name: "result as parts",
      body: {
        ...asked,
        messages: [...results.slice(0, 2), { role: "tool", tool_call_id: made.id, content: parts(made.result) }],
        tools: [toolOf(weather)],
      },
    },
    {
      name: "newer fields",
      body: {
        ...asked,
        ...{
          max_tokens: undefined,
          max_completion_tokens: 16,
          store: false,
          metadata: { from: "doctor" },
          user: "doctor",
        },
        ...{ parallel_tool_calls: true, service_tier: "auto" },
        tools: [{ type: "function", function: { ...toolOf(weather).function, strict: true } }],
      },
    },
  ];
}
