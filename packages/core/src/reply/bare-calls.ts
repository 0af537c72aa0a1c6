import type { ReplyEvent } from "../types.js";
import { Call } from "./call.js";
import { CALL_KEYS, CallRouter } from "./call-router.js";
import { Input } from "./input.js";
import { JsonReader } from "./json-reader.js";
import type { ToolTable } from "./tool-table.js";

const FENCE_OPEN = /^\s*(?:```[\w-]*\s*)?/;
const FENCE_CLOSE = /\s*(?:```)?\s*$/;

/** The most that is looked at, and so held, before it is known whether a reply may be calls. */
const WINDOW = 128;

/**
 * Whether a reply that begins so may be nothing but calls in JSON: an object, or a list of them, whose first key is one
 * of a call's and whose name, if it comes first, is a tool's. Undefined: too little is there to tell.
 */
export function couldBeCalls(text: string, tools: ToolTable): boolean | undefined {
  const unknown = text.length < WINDOW ? undefined : false;
  const begin = text.slice(0, WINDOW).replace(FENCE_OPEN, "");
  if (begin === "" || /^`+[\w-]*$/.test(begin)) return unknown;
  const key = /^\[?\s*\{\s*["']?([\w.]+)["']?\s*:\s*/.exec(begin);
  if (!key) return /^\[?\s*(?:\{\s*(?:["']?[\w.]*["']?\s*)?)?$/.test(begin) ? unknown : false;
  if (!CALL_KEYS.has(key[1] ?? "")) return false;
  const value = begin.slice(key[0].length);
  if (value === "") return unknown;
  if (!value.startsWith('"')) return true;
  const end = value.indexOf('"', 1);
  return end < 0 ? unknown : tools.resolve(value.slice(1, end)) !== undefined;
}

/** The events of a reply that is nothing but calls in JSON, in a fence or not; undefined when it is not. */
export function readBareCalls(reply: string, tools: ToolTable, generateId: () => string): ReplyEvent[] | undefined {
  const input = new Input();
  input.push(reply.replace(FENCE_OPEN, "").replace(FENCE_CLOSE, ""));
  input.final = true;
  const events: ReplyEvent[] = [];
  let call: Call | undefined;
  let count = 0;
  const host = {
    currentCall: () => call ?? host.nextCall(),
    nextCall: () => (call ??= new Call(count++, tools, events, generateId)),
    callClosed: () => {
      call?.finish(() => reply);
      call = undefined;
    },
  };
  const body = { body: "json-call", name: "name", arguments: "arguments" } as const;
  do {
    const repaired = (code: string) => call?.repaired(code);
    if (new JsonReader(new CallRouter(body, host), { repaired }).read(input) !== "done") return undefined;
    input.skipSpace();
    if (/[;,]/.test(input.text.charAt(input.pos))) input.pos++;
  } while (input.skipSpace());
  const unknown = events.some(
    (event) => event.type === "call-invalid" && event.call.error.code !== "invalid-arguments",
  );
  return events.length === 0 || unknown || call ? undefined : events;
}
