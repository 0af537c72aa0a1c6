import type { ChatResponse, ChatResponseChunk, ToolCall as LlamaIndexCall } from "@llamaindex/core/llms";
import type { InvalidToolCall, RepeatedCall, ToolCall, ToolDefinition, Turn } from "@toolingua/core";
import { ToolChoiceError } from "@toolingua/core";
import { recordCall } from "./calls.js";
import type { InnerLLM } from "./inner-llm.js";
import { objectIn } from "./structured-output.js";

/** What stands in the options of a message: its calls, and those that must not run. */
export interface AnswerOptions {
  toolCall?: LlamaIndexCall[];
  invalidToolCall?: InvalidToolCall[];
  /** The call that came once too often and ended the reply. */
  repeatedCall?: RepeatedCall;
}

export interface AnswerRules {
  /** Text waits until it is known whether a call follows. */
  hold: boolean;
  /** Calls are left out: there were enough of them. */
  noCalls: string | undefined;
  /** The call of this tool is the text. */
  output: ToolDefinition | undefined;
}

/**
 * The pieces of an answer as it is read: text, and in the last piece all calls, whole and each with an id of its own. No
 * call is wrong: agents end the process over a call of an unknown tool, and run a known one whatever its arguments are.
 * What was wrong to the end is told in words, if there is nothing else; an agent does not end in silence.
 */
export async function* answerChunks(
  turn: Turn,
  inner: InnerLLM,
  { hold, noCalls, output }: AnswerRules,
): AsyncGenerator<ChatResponseChunk<AnswerOptions>> {
  const calls: ToolCall[] = [];
  const invalid: InvalidToolCall[] = [];
  let held = "";
  let silent = true;
  let repeatedCall: RepeatedCall | undefined;
  const raw = () => inner.raw.at(-1) ?? null;
  try {
    for await (const event of turn) {
      if (event.type === "call-end") calls.push(event.call);
      else if (event.type === "call-invalid") invalid.push(event.call);
      else if (event.type === "text") {
        silent &&= event.text.trim() === "";
        if (hold) held += event.text;
        else yield { delta: event.text, raw: raw() };
      }
    }
    ({ repeatedCall } = await turn.result());
  } catch (error) {
    if (!(output && error instanceof ToolChoiceError)) throw error;
    const given = objectIn(error.raw, output);
    held += given ? JSON.stringify(given) : error.raw;
    silent = false;
  }
  const answer = output && calls.find(({ name }) => name === output.name);
  const made = answer || noCalls ? [] : calls;
  if (answer) held += JSON.stringify(answer.arguments);
  else if (silent && made.length === 0) {
    held += [...(noCalls && calls.length > 0 ? [noCalls] : []), ...invalid.map(({ error }) => error.message)]
      .map((words) => `[${words}]`)
      .join("\n");
  }
  const options = {
    ...(made.length > 0 && { toolCall: made.map(sent) }),
    ...(invalid.length > 0 && { invalidToolCall: invalid }),
    ...(repeatedCall && { repeatedCall }),
  };
  // One piece in any case: LlamaIndex's agents take no empty stream.
  yield { delta: held, raw: raw(), ...(Object.keys(options).length > 0 && { options }) };
}

/** The whole answer. `raw`: the wrapped model's pieces, as LlamaIndex has it for answers that were streamed. */
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
