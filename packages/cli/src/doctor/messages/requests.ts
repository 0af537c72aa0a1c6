import type { Request, Settings } from "../api.js";
import { type Choice, made, type Scenario, said, type Tool, weather } from "../scenarios.js";

// https://docs.anthropic.com/en/api/messages

const toolOf = ({ name, description, parameters }: Tool) => ({ name, description, input_schema: parameters });

function choiceOf(choice: Choice | undefined, parallel: boolean | undefined): object | undefined {
  if (choice === undefined && parallel !== false) return undefined;
  const single = parallel === false && { disable_parallel_tool_use: true };
  if (typeof choice === "object") return { type: "tool", name: choice.name, ...single };
  return { type: choice === "required" ? "any" : (choice ?? "auto"), ...single };
}

const results = [
  { role: "user", content: said.weather },
  {
    role: "assistant",
    content: [{ type: "tool_use", id: made.id, name: made.name, input: JSON.parse(made.arguments) }],
  },
  { role: "user", content: [{ type: "tool_result", tool_use_id: made.id, content: made.result }] },
];

/** A request for a scenario. */
export function messagesBody(scenario: Scenario, { model, maxTokens }: Settings): object {
  const { turn, stream, tools, choice, parallel } = scenario;
  const toolChoice = choiceOf(choice, parallel);
  return {
    model,
    messages: turn === "results" ? results : [{ role: "user", content: said[turn] }],
    max_tokens: maxTokens,
    ...(stream && { stream }),
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    ...(toolChoice && { tool_choice: toolChoice }),
  };
}

const cached = { cache_control: { type: "ephemeral" } };

/** The fields that Claude Code sends besides the conversation. */
const beta = {
  suffix: "?beta=true",
  headers: { "anthropic-beta": "claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27" },
};

/** Requests as certain clients send them. */
export function messagesShapes({ model }: Settings): Request[] {
  const asked = { model, max_tokens: 16, messages: [{ role: "user", content: said.greeting }] };
  return [
    {
      name: "system as blocks",
      body: {
        ...asked,
        system: [
          { type: "text", text: "x-anthropic-billing-header: cc_version=2.1.197; cch=00000;" },
          { type: "text", text: "Be brief.", ...cached },
        ],
        messages: [{ role: "user", content: [{ type: "text", text: said.greeting, ...cached }] }],
      },
    },
    {
      ...beta,
      name: "beta fields",
      body: {
        ...asked,
        ...{ stream: true, metadata: { user_id: "doctor" }, thinking: { type: "adaptive" } },
        context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
        output_config: { effort: "medium" },
        tools: [{ ...toolOf(weather), strict: true, defer_loading: false, ...cached }],
      },
    },
    {
      ...beta,
      name: "system message",
      body: { ...asked, messages: [...asked.messages, { role: "system", content: "Answer in English." }] },
    },
    {
      name: "result as blocks",
      body: {
        ...asked,
        tools: [toolOf(weather)],
        messages: [
          ...results.slice(0, 2),
          {
            role: "user",
            content: [
              {
                ...{ type: "tool_result", tool_use_id: made.id, is_error: false, ...cached },
                content: [{ type: "text", text: made.result }],
              },
              { type: "text", text: "And in one word?" },
            ],
          },
        ],
      },
    },
    { name: COUNT, suffix: "/count_tokens", body: { model, messages: asked.messages, tools: [toolOf(weather)] } },
  ];
}

/** The name of the request that counts tokens. */
export const COUNT = "count_tokens";
