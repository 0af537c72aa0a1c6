// What else an endpoint can be asked for a call by, without Toolingua: its own tools, or JSON of a schema; and the
// functions of node-llama-cpp. A cell is named way/choice/shots: `auto` leaves the model free to answer, `required`
// does not, and `one` has it make one call.
import { shotTurns } from "./shots.mjs";

export const ways = ["json-schema", "native", "node-llama-cpp"];
export const choices = ["auto", "required", "one"];

/** The choices that a way has. */
export const choicesOf = { "json-schema": choices, native: ["auto", "required"], "node-llama-cpp": ["auto"] };

/** Asks in that way: `{ calls, failed, text, reply, tokensIn, tokensOut }`, as a peer's parser has it. */
export const askWay = (cell, question, loaded, sampling) =>
  ({ "json-schema": askJson, native: askNative, "node-llama-cpp": askFunctions })[cell.way](
    cell,
    question,
    loaded,
    sampling,
  );

const listed = (tools) =>
  tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters })).join("\n");

const HOW = {
  required: 'Answer with a JSON list of calls: [{"name": …, "arguments": {…}}].',
  one: 'Answer with a JSON call: {"name": …, "arguments": {…}}.',
  auto: 'Answer with JSON. Where tools help: {"calls": [{"name": …, "arguments": {…}}]}. Where none does: {"answer": "…"}.',
};

const written = {
  required: ({ calls }) => calls.map(({ name, arguments: args }) => ({ name, arguments: args })),
  one: ({ calls }) => written.required({ calls })[0],
  auto: ({ calls, answer }) => (calls.length > 0 ? { calls: written.required({ calls }) } : { answer }),
};

function schemaOf(choice, tools) {
  const closed = (properties) => ({
    ...{ type: "object", properties, required: Object.keys(properties), additionalProperties: false },
  });
  const call = ({ name, parameters }) => closed({ name: { const: name }, arguments: parameters });
  const anyCall = { anyOf: tools.map(call) };
  if (choice === "one") return anyCall;
  const calls = { type: "array", minItems: 1, items: anyCall };
  return choice === "required" ? calls : { anyOf: [closed({ calls }), closed({ answer: { type: "string" } })] };
}

/** The messages of a `response_format` question: the tools and the form of the answer, examples in that form, the conversation. */
export function jsonMessages(choice, shots, { messages, tools }) {
  const [said, rest] = [messages.filter(isSystem), messages.filter((message) => !isSystem(message))];
  const system = [`You have these tools:\n${listed(tools)}\n\n${HOW[choice]}`, ...said.map(({ content }) => content)];
  const examples = shotTurns(shots).flatMap((turn) => [
    { role: "user", content: turn.question },
    { role: "assistant", content: JSON.stringify(written[choice](turn)) },
  ]);
  return [{ role: "system", content: system.join("\n\n") }, ...examples, ...rest];
}

/** A plain prompt, and the server's own `response_format`. */
async function askJson({ choice, shots }, { messages, tools }, { chat }, sampling) {
  const { choices, usage } = await chat({
    messages: jsonMessages(choice, shots, { messages, tools }),
    response_format: { type: "json_schema", json_schema: { name: "reply", schema: schemaOf(choice, tools) } },
    ...fields(sampling),
  });
  const text = choices[0].message.content ?? "";
  const value = parsed(text);
  const calls = choice === "one" ? [value] : Array.isArray(value) ? value : value?.calls;
  return {
    calls: (calls ?? []).filter((call) => typeof call?.name === "string"),
    failed: value === undefined,
    text: value?.answer ?? "",
    reply: text,
    ...tokens(usage),
  };
}

/** The server's own `tools`, which its chat template shows. Names have no dots there. */
async function askNative({ choice, shots }, { messages, tools }, { chat }, sampling) {
  const safe = (name) => name.replaceAll(/[^\w-]/g, "_");
  const names = new Map(tools.map(({ name }) => [safe(name), name]));
  const callOf = ({ id, name, arguments: args }) => ({
    ...{ id, type: "function", function: { name: safe(name), arguments: JSON.stringify(args) } },
  });
  const turnOf = ({ toolCalls, toolCallId, role, content }) => ({
    ...{ role, content },
    ...(toolCalls?.length && { tool_calls: toolCalls.map(callOf) }),
    ...(toolCallId && { tool_call_id: toolCallId }),
  });
  const examples = shotTurns(shots).flatMap(({ question, calls, results, answer }) => [
    { role: "user", content: question },
    ...(calls.length > 0 ? [{ role: "assistant", content: "", tool_calls: calls.map(callOf) }] : []),
    ...calls.map(({ id }, i) => ({ role: "tool", tool_call_id: id, content: results[i] })),
    { role: "assistant", content: answer },
  ]);
  const system = messages.filter(isSystem);
  const rest = messages.filter((message) => !isSystem(message)).map(turnOf);
  const { choices, usage } = await chat({
    messages: [...system, ...examples, ...rest],
    tools: tools.map((tool) => ({ type: "function", function: { ...tool, name: safe(tool.name) } })),
    tool_choice: choice,
    ...fields(sampling),
  });
  const { message } = choices[0];
  const read = (message.tool_calls ?? []).map(({ function: { name, arguments: text } }) => ({
    name: names.get(name) ?? name,
    arguments: parsed(text || "{}"),
  }));
  const calls = read.filter((call) => call.arguments !== undefined);
  return {
    ...{ calls, failed: calls.length < read.length, text: message.content ?? "" },
    reply: JSON.stringify(message),
    ...tokens(usage),
  };
}

/** node-llama-cpp's own function calling: its prompt, its syntax, its grammar. It leaves the model free to answer. */
async function askFunctions({ shots }, { messages, tools }, { functions }, sampling) {
  const turns = [
    ...messages.filter(isSystem).map(({ content: text }) => ({ type: "system", text })),
    ...shotTurns(shots).flatMap(({ question, calls, results, answer }) => [
      { type: "user", text: question },
      {
        type: "model",
        response: [
          ...calls.map(({ name, arguments: params }, i) => ({
            ...{ type: "functionCall", name, params, result: results[i], startsNewChunk: i === 0 },
          })),
          answer,
        ],
      },
    ]),
    ...messages.filter((message) => !isSystem(message)).map(({ content: text }) => ({ type: "user", text })),
  ];
  return functions(turns, tools, sampling);
}

const isSystem = ({ role }) => role === "system";
const fields = ({ maxTokens, temperature, seed }) => ({ max_tokens: maxTokens, temperature, seed });
const tokens = (usage) => ({ tokensIn: usage?.prompt_tokens ?? 0, tokensOut: usage?.completion_tokens ?? 0 });

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
