// What else an endpoint can be asked for a call by, without Toolingua: its own tools, or JSON of a schema; and the
// functions of node-llama-cpp. A cell is named way/choice/shots: `auto` leaves the model free to answer, `required`
// does not, and `one` has it make one call.
import { shots as shotMessages, shotTurns } from "./shots.mjs";

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

/**
 * The messages of a `response_format` question: the tools and the form of the answer, examples in that form, the conversation.
 * `converses`: the conversation has several turns, so examples go on to their results and answers.
 */
export function jsonMessages(choice, shots, { messages, tools, converses = false }) {
  const [said, rest] = [messages.filter(isSystem), messages.filter((message) => !isSystem(message))];
  const system = [`You have these tools:\n${listed(tools)}\n\n${HOW[choice]}`, ...said.map(({ content }) => content)];
  const examples = converses
    ? jsonTurns(choice, shotMessages(shots))
    : shotTurns(shots).flatMap((turn) => [
        { role: "user", content: turn.question },
        { role: "assistant", content: JSON.stringify(written[choice](turn)) },
      ]);
  return [{ role: "system", content: system.join("\n\n") }, ...examples, ...jsonTurns(choice, rest)];
}

/** A conversation for models that know no tools: calls and answers in the form of the choice, results told by the user. */
function jsonTurns(choice, messages) {
  const turns = [];
  for (const { role, content, name, toolCalls = [] } of messages) {
    const last = turns.at(-1);
    if (role === "tool") {
      const told = `Result of ${name}: ${content}`;
      if (last?.results) last.content += `\n${told}`;
      else turns.push({ role: "user", content: told, results: true });
    } else if (role === "user") turns.push({ role, content });
    else if (toolCalls.length > 0) turns.push({ role, content: JSON.stringify(written[choice]({ calls: toolCalls })) });
    else turns.push({ role, content: choice === "auto" ? JSON.stringify({ answer: content }) : content });
  }
  return turns.map(({ role, content }) => ({ role, content }));
}

/** A plain prompt, and the server's own `response_format`. */
async function askJson({ choice, shots }, question, { chat }, sampling) {
  const { tools } = question;
  const { choices, usage } = await chat({
    messages: jsonMessages(choice, shots, question),
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

/** The server's own `tools`, which its chat template shows, streamed. Names have no dots there. */
async function askNative({ choice, shots }, { messages, tools }, { chat, onArgument }, sampling) {
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
  const system = messages.filter(isSystem);
  const rest = messages.filter((message) => !isSystem(message));
  const stream = await chat({
    messages: [...system, ...[...shotMessages(shots), ...rest].map(turnOf)],
    tools: tools.map((tool) => ({ type: "function", function: { ...tool, name: safe(tool.name) } })),
    tool_choice: choice,
    ...fields(sampling),
    ...{ stream: true, stream_options: { include_usage: true } },
  });
  const { message, usage } = await joined(stream, onArgument);
  const read = message.tool_calls.map(({ function: { name, arguments: text } }) => ({
    name: names.get(name) ?? name,
    arguments: parsed(text || "{}"),
  }));
  const calls = read.filter((call) => call.arguments !== undefined);
  return {
    ...{ calls, failed: calls.length < read.length, text: message.content },
    reply: JSON.stringify(message),
    ...tokens(usage),
  };
}

/**
 * A streamed answer as a whole: `{ message, usage }`. `onArgument`: called with the number of tokens written, where the
 * server tells it, when the first character of a call's arguments arrives.
 */
async function joined(stream, onArgument) {
  const message = { role: "assistant", content: "", tool_calls: [] };
  let usage;
  for await (const chunk of stream) {
    usage = chunk.usage ?? usage;
    const { content, tool_calls: calls = [] } = chunk.choices[0]?.delta ?? {};
    message.content += content ?? "";
    for (const { index, id, function: { name = "", arguments: text = "" } = {} } of calls) {
      message.tool_calls[index] ??= { id, type: "function", function: { name: "", arguments: "" } };
      const call = message.tool_calls[index].function;
      call.name += name;
      call.arguments += text ?? "";
      if (text) onArgument({ tokens: chunk.timings?.predicted_n });
    }
  }
  return { message, usage };
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
