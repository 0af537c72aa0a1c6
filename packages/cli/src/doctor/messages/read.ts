import { isObject, shallowJson } from "@toolingua/core/adapters";
import { at, listAt, textAt, typeOf } from "../../json.js";
import type { Call, Reply } from "../reply.js";
import type { Scenario } from "../scenarios.js";
import type { Exchange, StreamEvent } from "../wire/exchange.js";

/** A block of a stream, with all of its deltas. */
export interface Block {
  index: unknown;
  /** `text`, `tool_use`, `thinking`; empty if the block was never begun. */
  kind: string;
  start: unknown;
  deltas: unknown[];
  /** The deltas of its input, concatenated. */
  json: string;
  text: string;
  isStopped: boolean;
}

/** The blocks of a stream. A delta of a block that was not begun begins one without a kind. */
export function blocksOf(events: readonly StreamEvent[]): Block[] {
  const blocks: Block[] = [];
  for (const { json } of events) {
    const index = at(json, "index");
    const open = blocks.findLast((block) => block.index === index && !block.isStopped);
    const none = { index, kind: "", start: undefined, deltas: [], json: "", text: "", isStopped: false };
    if (typeOf(json) === "content_block_start") {
      const start = at(json, "content_block");
      blocks.push({ ...none, kind: typeOf(start), start });
    } else if (typeOf(json) === "content_block_delta") {
      const block = open ?? { ...none };
      if (!open) blocks.push(block);
      block.deltas.push(at(json, "delta"));
      block.json += textAt(json, "delta", "partial_json") ?? "";
      block.text += textAt(json, "delta", "text") ?? "";
    } else if (typeOf(json) === "content_block_stop" && open) open.isStopped = true;
  }
  return blocks;
}

/** The input of a block, as JSON. */
function inputOf({ json, start }: Block): string {
  return json === "" ? JSON.stringify(at(start, "input") ?? {}) : json;
}

/** Reads an answer. */
export function readMessages(scenario: Scenario, exchange: Exchange): Reply {
  const { events, text, status } = exchange;
  if (scenario.stream && events.length > 0) {
    const blocks = blocksOf(events);
    const end = events.find(({ json }) => typeOf(json) === "message_delta")?.json;
    const finish = textAt(end, "delta", "stop_reason");
    const failure = events.find(({ event, json }) => event === "error" || isFailure(json));
    return {
      ...{ scenario, exchange, finish, text: blocks.map((block) => block.text).join("") },
      calls: blocks
        .filter(({ kind }) => kind === "tool_use")
        .map((block) => ({
          id: textAt(block.start, "id"),
          name: textAt(block.start, "name"),
          arguments: inputOf(block),
        })),
      isCut: finish === "max_tokens",
      failure: failure && (failure.json ?? failure.data),
    };
  }
  const json = shallowJson(text);
  const content = listAt(json, "content");
  const finish = textAt(json, "stop_reason");
  return {
    ...{ scenario, exchange, finish, text: content.map((block) => textAt(block, "text") ?? "").join("") },
    calls: content.filter((block) => typeOf(block) === "tool_use").map(callOf),
    isCut: finish === "max_tokens",
    failure: status < 400 && isFailure(json) ? json : undefined,
  };
}

const callOf = (block: unknown): Call => {
  const input = at(block, "input");
  return {
    id: textAt(block, "id"),
    name: textAt(block, "name"),
    arguments: typeof input === "string" ? input : JSON.stringify(input ?? {}),
  };
};

/** Whether this is an error, in any shape. */
const isFailure = (json: unknown): boolean =>
  isObject(json) && (json.type === "error" || (json.error !== undefined && json.error !== null));
