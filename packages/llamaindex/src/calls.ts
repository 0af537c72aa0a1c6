import { Settings } from "@llamaindex/core/global";

/** The record of a call. `output`: the result of its tool, once it ran. */
interface CallRecord {
  id?: string;
  output?: unknown;
}

/**
 * Calls by their input object. LlamaIndex's agents pass this object to the tool and keep it in the conversation. They
 * store results with quotes stripped and line breaks escaped, and do not pass the call's id to the tool.
 */
const records = new WeakMap<object, CallRecord>();

export function recordCall(input: object, what: CallRecord): void {
  records.set(input, { ...records.get(input), ...what });
}

export const callRecord = (input: object): CallRecord => records.get(input) ?? {};

const watched = new WeakSet<object>();

/** Subscribes to LlamaIndex's events for tool results. Called at each turn, because the callback manager may change. */
export function watchToolResults(): void {
  const { callbackManager } = Settings;
  if (watched.has(callbackManager)) return;
  watched.add(callbackManager);
  callbackManager.on("llm-tool-result", ({ detail: { toolCall, toolResult } }) => {
    recordCall(toolCall.input, { output: toolResult.output });
  });
}
