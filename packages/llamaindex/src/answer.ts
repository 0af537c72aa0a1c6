import type { ChatResponse, ChatResponseChunk, ToolCall as LlamaIndexCall } from "@llamaindex/core/llms";
import type { InvalidToolCall, RepeatedCall, ToolCall, ToolDefinition, Turn } from "@toolingua/core";
import { ToolChoiceError } from "@toolingua/core";
import { FILTERED } from "@toolingua/core/adapters";
import { recordCall } from "./calls.js";
import type { InnerLLM } from "./inner-llm.js";
import { objectIn } from "./structured-output.js";

/** The options of a message: its calls, and those that must not run. */
export interface AnswerOptions {
  toolCall?: LlamaIndexCall[];
  invalidToolCall?: InvalidToolCall[];
  /** The call that was repeated too often and ended the reply. */
  repeatedCall?: RepeatedCall;
}

interface AnswerRules {
  /** Buffer text until it is known whether a call follows. */
  buffer: boolean;
  /** Set if calls are dropped because `maxToolRounds` is reached. */
  noCalls: string | undefined;
  /** The arguments of a call of this tool become the text. */
  output: ToolDefinition | undefined;
}

/**
 * The chunks of an answer: text, and in the last chunk all calls, whole and each with a unique id. Invalid calls are
 * left out: agents end the process at a call of an unknown tool, and run a known tool with any arguments. If an answer
 * has only invalid calls, its text describes them, so that an agent does not end silently. The same holds for all calls of a
 * reply that a content filter ended.
 */
export async function* answerChunks(
  turn: Turn,
  inner: InnerLLM,
  { buffer, noCalls, output }: AnswerRules,
): AsyncGenerator<ChatResponseChunk<AnswerOptions>> {
  const calls: ToolCall[] = [];
  const invalid: InvalidToolCall[] = [];
  let buffered = "";
  let silent = true;
  let repeatedCall: RepeatedCall | undefined;
  let refused = noCalls;
  const raw = () => inner.raw.at(-1) ?? null;
  try {
    for await (const event of turn) {
      if (event.type === "call-end") calls.push(event.call);
      else if (event.type === "call-invalid") invalid.push(event.call);
      else if (event.type === "text") {
        silent &&= event.text.trim() === "";
        if (buffer) buffered += event.text;
        else yield { delta: event.text, raw: raw() };
      }
    }
    const result = await turn.result();
    repeatedCall = result.repeatedCall;
    if (result.finish === "content-filter") refused ??= FILTERED;
  } catch (error) {
    if (!(output && error instanceof ToolChoiceError)) throw error;
    const given = objectIn(error.raw, output);
    buffered += given ? JSON.stringify(given) : error.raw;
    silent = false;
  }
  const answer = output && calls.find(({ name }) => name === output.name);
  const made = answer || refused ? [] : calls;
  if (answer) buffered += JSON.stringify(answer.arguments);
  else if (silent && made.length === 0) {
    buffered += [...(refused && calls.length > 0 ? [refused] : []), ...invalid.map(({ error }) => error.message)]
      .map((words) => `[${words}]`)
      .join("\n");
  }
  const options = {
    ...(made.length > 0 && { toolCall: made.map(sent) }),
    ...(invalid.length > 0 && { invalidToolCall: invalid }),
    ...(repeatedCall && { repeatedCall }),
  };
  // Always at least one chunk: LlamaIndex's agents do not accept an empty stream.
  yield { delta: buffered, raw: raw(), ...(Object.keys(options).length > 0 && { options }) };
}

/** The whole answer. `raw`: the wrapped model's chunks, as in LlamaIndex's streamed answers. */
export async function collect(
  chunks: AsyncIterable<ChatResponseChunk<AnswerOptions>>,
  inner: InnerLLM,
): Promise<ChatResponse<AnswerOptions>> {
  let content = "";
  let options: AnswerOptions | undefined;
  for await (const chunk of chunks) {
    content += chunk.delta;
    options = chunk.options ?? options;
  }
  return { message: { role: "assistant", content, ...(options && { options }) }, raw: inner.raw };
}

function sent({ id, name, arguments: input }: ToolCall): LlamaIndexCall {
  recordCall(input, { id });
  return { id, name, input: input as LlamaIndexCall["input"] };
}
