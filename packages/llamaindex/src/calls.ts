import { Settings } from "@llamaindex/core/global";

/** What is known of a call. `output`: what its tool gave back, once it ran. */
export interface CallRecord {
  id?: string;
  output?: unknown;
}

/**
 * Calls by their input object, which LlamaIndex's agents pass on to the tool and keep in the conversation as it is. The
 * result they write down, but with its quotes stripped and its line breaks spelled out; and a tool is not told its call's id.
 */
const records = new WeakMap<object, CallRecord>();

export function recordCall(input: object, what: CallRecord): void {
  records.set(input, { ...records.get(input), ...what });
}

export const callRecord = (input: object): CallRecord => records.get(input) ?? {};

const watched = new WeakSet<object>();

/** Listens to LlamaIndex's own report of what tools give back. Asked for at each turn: the callback manager may change. */
export function watchToolResults(): void {
  const { callbackManager } = Settings;
  if (watched.has(callbackManager)) return;
  watched.add(callbackManager);
  callbackManager.on("llm-tool-result", ({ detail: { toolCall, toolResult } }) => {
    recordCall(toolCall.input, { output: toolResult.output });
  });
}
