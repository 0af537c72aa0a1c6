import { eventsIn } from "./gateway.js";

// What is wrong with a stream, in words: each is a fault with which at least one of the clients loses a call, text or an error,
// or throws. A stream that failed ends with its error and needs nothing after it.

// biome-ignore lint/suspicious/noExplicitAny: events are read as a client without types reads them
type Event = any;
/** The faults of which the test is true. */
const faults = (all: Record<string, boolean>) => Object.keys(all).filter((fault) => all[fault]);
const isJson = (text: string) => {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
};
const count = (list: readonly unknown[], one: unknown) => list.filter((other) => other === one).length;

function chat(text: string, failed: boolean): string[] {
  const events: Event[] = eventsIn(text).map(({ data }) => data);
  const chunks = events.filter((one) => one.choices);
  const deltas = chunks.flatMap(({ choices }) => choices.map((choice: Event) => choice.delta));
  const pieces: Event[] = deltas.flatMap(({ tool_calls = [] }) => tool_calls ?? []);
  const first = new Map<number, Event>();
  const written = new Map<number, string>();
  for (const piece of pieces) {
    if (!first.has(piece.index)) first.set(piece.index, piece);
    written.set(piece.index, (written.get(piece.index) ?? "") + piece.function.arguments);
  }
  const finishes = chunks.flatMap(({ choices }) => choices.flatMap((one: Event) => one.finish_reason ?? []));
  return faults({
    "no index of a call": pieces.some(({ index }) => typeof index !== "number"),
    "no id, type or name in a call's first delta": [...first.values()].some(
      (one) => !one.id || one.type !== "function" || !one.function.name || one.function.arguments !== "",
    ),
    "a name or id twice": pieces.some((one) => one !== first.get(one.index) && (one.id || one.function.name)),
    "an empty list of calls": deltas.some(({ tool_calls }) => tool_calls !== undefined && !tool_calls?.length),
    "no role at the beginning": deltas[0]?.role !== "assistant",
    "other than one end of the stream": count(events, "[DONE]") !== 1 || events.at(-1) !== "[DONE]",
    "arguments that are no object": !failed && [...written.values()].some((args) => !isJson(args)),
    "other than one finish reason": finishes.length !== (failed ? 0 : 1),
    "a finish reason that hides calls": !failed && finishes[0] !== (pieces.length > 0 ? "tool_calls" : "stop"),
    "other than one usage": !failed && chunks.filter((one) => one.usage && !one.choices.length).length !== 1,
    "no error": failed && !events.some((one) => one.error?.message && one.error.type),
  });
}

function messages(text: string, failed: boolean): string[] {
  const all = eventsIn(text);
  const events: Event[] = all.map(({ data }) => data);
  const types = events.map(({ type }) => type);
  const [start] = events;
  const end = events.find(({ type }) => type === "message_delta");
  const kinds: Record<string, string> = {
    text: "text_delta",
    thinking: "thinking_delta",
    tool_use: "input_json_delta",
  };
  const open = new Map<number, { kind: string; json: string }>();
  const wrong = new Set<string>();
  let next = 0;
  for (const { type, index, content_block, delta } of events) {
    if (type === "content_block_start") {
      if (index !== next || open.size > 0) wrong.add("blocks that are not one after the other");
      if (content_block.type === "tool_use" && !(content_block.id && content_block.name)) wrong.add("no id or name");
      open.set(index, { kind: content_block.type, json: "" });
      next = index + 1;
    }
    if (type === "content_block_delta") {
      const block = open.get(index);
      if (!block) wrong.add("a delta without a block");
      else if (kinds[block.kind] !== delta.type && delta.type !== "signature_delta")
        wrong.add("a delta of another kind");
      if (block) block.json += delta.partial_json ?? "";
    }
    if (type === "content_block_stop") {
      const { kind = "", json = "" } = open.get(index) ?? {};
      if (kind === "tool_use" && json !== "" && !isJson(json)) wrong.add("an input that is no object");
      if (!open.delete(index)) wrong.add("an end without a block");
    }
  }
  if (open.size > 0 && !failed) wrong.add("no end of a block");
  const hasCalls = events.some(({ content_block }) => content_block?.type === "tool_use");
  return [
    ...wrong,
    ...faults({
      "no name of an event": all.some(({ event, data }) => event !== (data as Event).type),
      "other than one start": count(types, "message_start") !== 1 || types[0] !== "message_start",
      "no usage at the start": typeof start?.message?.usage?.input_tokens !== "number",
      "other than one end": !failed && (count(types, "message_stop") !== 1 || types.at(-1) !== "message_stop"),
      "other than one message_delta": !failed && count(types, "message_delta") !== 1,
      "no usage at the end": !failed && typeof end?.usage?.output_tokens !== "number",
      "a reason that hides calls": !failed && end?.delta.stop_reason !== (hasCalls ? "tool_use" : "end_turn"),
      "no error": failed && !(types.at(-1) === "error" && events.at(-1).error.message),
    }),
  ];
}

function responses(text: string, failed: boolean): string[] {
  const all = eventsIn(text);
  const events: Event[] = all.map(({ data }) => data);
  const of = (type: string) => events.filter((one) => one.type === `response.${type}`);
  const wrong = new Set<string>();
  const items = new Map<number, { item: Event; text: string; parts: number; isDone: boolean }>();
  for (const { type, output_index, item, item_id, delta, arguments: args } of events) {
    const known = items.get(output_index);
    if (type === "response.output_item.added") items.set(output_index, { item, text: "", parts: 0, isDone: false });
    else if (output_index !== undefined) {
      if (!known) wrong.add("an event of an item that was not added");
      if (known?.isDone) wrong.add("an event of an item that was done");
      if (item_id !== undefined && item_id !== known?.item.id) wrong.add("another id");
    }
    if (!known) continue;
    if (/part\.added$/.test(type)) known.parts += 1;
    if (/text\.delta$/.test(type) && known.parts === 0) wrong.add("text without a part");
    if (/\.delta$/.test(type)) known.text += delta;
    if (/arguments\.done$/.test(type) && args !== known.text) wrong.add("arguments other than their deltas");
    if (type !== "response.output_item.done") continue;
    known.isDone = true;
    const whole = item.arguments ?? item.content?.[0]?.text ?? item.summary?.[0]?.text;
    if (whole !== known.text) wrong.add("an item other than its deltas");
    if (item.id !== known.item.id) wrong.add("another id");
    if (item.type === "function_call" && !(item.call_id && item.name && isJson(item.arguments)))
      wrong.add("half a call");
  }
  const last = events.at(-1);
  const done = of("output_item.done").map(({ item }) => item);
  return [
    ...wrong,
    ...faults({
      "no name of an event": all.some(({ event, data }) => event !== (data as Event).type),
      "no number of an event": events.some(({ sequence_number }, i) => sequence_number !== i),
      "other than one beginning": of("created").length !== 1 || events[0].type !== "response.created",
      "an item without an end": !failed && [...items.values()].some(({ isDone }) => !isDone),
      "other than one end": of("completed").length !== (failed ? 0 : 1) || of("failed").length !== (failed ? 1 : 0),
      "an end that is not the last": last.type !== (failed ? "response.failed" : "response.completed"),
      "an end without its items": !failed && JSON.stringify(last.response?.output) !== JSON.stringify(done),
      "an end without usage": !failed && typeof last.response?.usage?.total_tokens !== "number",
      "no error": failed && !(last.response?.error?.message && events.at(-2).error?.message),
    }),
  ];
}

/** What is wrong with a stream of each API; `failed`: its upstream failed in the middle. */
export const streamFaults = { chat, responses, messages };
