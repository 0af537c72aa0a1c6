import type { ApiName } from "../../../../src/doctor/clients.js";
import type { Breaking, Json, Write } from "../broken-server.js";

/** A server that is broken in one way, and what the doctor is to say of it. */
export interface Breakage {
  title: string;
  /** Where this was seen. */
  seen: string;
  api: ApiName;
  breaking: Breaking;
  /** The checks that do not pass: these and no others. */
  findings: string[];
  /** How a client is asked that would break: then the doctor's word is compared with real ones. */
  asked?: "stream" | "whole";
}

export const DONE = "data: [DONE]\n\n";
/** For streams of Chat Completions: `change` gives the chunk that is sent, if any. */
export const chunks =
  (change: (chunk: Json) => Json | undefined, done = DONE): Breaking["event"] =>
  (event, write) => {
    if (event === "[DONE]") return [done];
    const changed = change(event);
    return changed === undefined ? [] : [write(changed)];
  };
export const callsOf = (chunk: Json): Json[] => chunk.choices?.[0]?.delta?.tool_calls ?? [];
export const edit = (change: (value: Json) => void) => (value: Json) => {
  change(value);
  return value;
};
/** For streams with named events: what is sent in the place of one of this type. */
export const on =
  (type: string, change: (event: Json, write: Write) => string[]): Breaking["event"] =>
  (event, write) =>
    event.type === type ? change(event, write) : [event === "[DONE]" ? DONE : write(event)];
export const drop = (type: string) => on(type, () => []);
