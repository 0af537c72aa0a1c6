// What one turn is: ten tools, a conversation, a model that answers at once with what is right.
import { ChatTemplate, generateWithTools, getProtocol, parseReply, renderChatPrompt } from "@toolingua/core";
import { copy, manyTools, tools } from "../grammar/cases.mjs";

export { copy, manyTools, tools };

export const call = { name: "get_weather", arguments: { city: "Reykjavík", unit: "celsius", days: 3 } };
const asked = {
  id: "1",
  name: "search_flights",
  arguments: { origin: "OSL", destination: "KEF", departure: "2026-12-01" },
};

const exchange = [
  { role: "user", content: "Which flights go from Oslo to Reykjavík on the first of December?" },
  { role: "assistant", content: "", toolCalls: [asked] },
  { role: "tool", toolCallId: "1", name: asked.name, content: '{"flights": [{"id": "FI 319", "price": 210}]}' },
  { role: "assistant", content: "There is one: FI 319 for 210 euros." },
];

/** A conversation with that many questions that were answered, and one that was not. */
export const conversation = (answered = 1) => [
  { role: "system", content: "You are a helpful travel agent." },
  ...Array.from({ length: answered }, () => exchange).flat(),
  { role: "user", content: "And what will the weather be there, for three days?" },
];

/** A reply with that many calls, each another, as a protocol has them. */
export function replyOf(protocol, count = 1) {
  const calls = Array.from({ length: count }, (_, i) => {
    const city = i === 0 ? call.arguments.city : `${call.arguments.city} ${i}`;
    return { ...call, arguments: { ...call.arguments, city } };
  });
  return getProtocol(protocol).renderCalls(calls, { tools });
}

const PIECE = 4;

/** A model that answers at once: `pieces` in pieces as long as tokens are, else whole. */
export function instant(reply, pieces = false) {
  const parts = pieces ? reply.match(new RegExp(`[^]{1,${PIECE}}`, "g")) : [reply];
  return async function* () {
    yield* parts;
  };
}

/** One turn through `generateWithTools`; an error where the calls are not what was written. */
export async function turn({ count = 1, ...options }) {
  const result = await generateWithTools({ messages: conversation(), tools, ...options }).result();
  if (result.toolCalls.length !== count) throw new Error(`${result.toolCalls.length} calls, not ${count}`);
  return result;
}

/** A turn through the model's own template: the whole prompt, and what is read of the reply to it. */
export function templateTurn(format, reply) {
  const { protocol, prefill } = renderChatPrompt({ format, messages: conversation(), tools });
  const { toolCalls } = parseReply(reply, { tools, protocol, prefill });
  if (toolCalls.length !== 1) throw new Error(`${toolCalls.length} calls, not 1`);
}

/** A template as models bring them, in Jinja: ChatML, with tools and calls as Hermes has them. */
export const jinja = new ChatTemplate(`{%- if tools %}
{{- '<|im_start|>system\\n' }}
{%- if messages[0].role == 'system' %}{{- messages[0].content + '\\n\\n' }}{%- endif %}
{{- '# Tools\\n\\nCall functions of this list:\\n<tools>' }}
{%- for tool in tools %}{{- '\\n' + (tool | tojson) }}{%- endfor %}
{{- '\\n</tools>\\n\\nFor each call return:\\n<tool_call>\\n{"name": <name>, "arguments": <arguments>}\\n</tool_call><|im_end|>\\n' }}
{%- elif messages[0].role == 'system' %}{{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}{%- endif %}
{%- for message in messages %}
{%- if message.role == 'user' or (message.role == 'assistant' and not message.tool_calls) %}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- elif message.role == 'assistant' %}
{{- '<|im_start|>assistant' }}
{%- for call in message.tool_calls %}
{{- '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}\\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>\\n' }}
{%- elif message.role == 'tool' %}
{{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`);
