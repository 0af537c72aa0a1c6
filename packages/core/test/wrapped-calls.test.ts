import { describe, expect, test } from "vitest";
import { createReplyParser, type Protocol, protocols, type ToolDefinition } from "../src/index.js";

// Models write the markers of one format around the calls of another one.

const tools: ToolDefinition[] = [
  { name: "count_boxes", parameters: { type: "object", properties: { shelf: { type: "string" } } } },
  { name: "open_gate", parameters: { type: "object", properties: { speed: { type: "integer" } } } },
];
const calls = [
  { name: "count_boxes", arguments: { shelf: "north" } },
  { name: "open_gate", arguments: { speed: 3 } },
];

const outer = [
  ["<tool_calls>\n", "\n</tool_calls>"],
  ["<tool_calls>", "</tool_calls>"],
  ["<function_calls>\n", "\n</function_calls>"],
  ["<tools>\n", "\n</tools>"],
  ["<tool_call>\n", "\n</tool_call>"],
  ["<minimax:tool_call>\n", "\n</minimax:tool_call>"],
  ["<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"],
  ["[TOOL_CALLS] ", ""],
] as const;

/** Each call with all its markers. */
function written({ renderCalls, syntax }: Protocol): string[] {
  return syntax.parallel
    ? calls.map((call) => renderCalls([call], { tools }))
    : [renderCalls(calls.slice(0, 1), { tools })];
}

function read(reply: string, protocol: Protocol | "auto") {
  const found = [[reply], [...reply]].map((chunks) => {
    const parser = createReplyParser({ protocol, tools });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    const text = events.flatMap((event) => (event.type === "text" ? event.text : [])).join("");
    const read = events.flatMap((event): unknown[] => {
      if (event.type === "call-end") return [{ name: event.call.name, arguments: event.call.arguments }];
      return event.type === "call-invalid" ? [event.call.error.message] : [];
    });
    return { read, text };
  });
  expect(found[1]).toEqual(found[0]);
  return found[0]?.read;
}

// An object that is the whole message has no second marker.
const marked = Object.values<Protocol>(protocols).filter(({ syntax: { at, call } }) => !at && call.length > 1);

describe.each(marked.map((protocol) => ({ name: protocol.name, protocol })))("calls of $name", ({ protocol }) => {
  test.each(outer)("between %j and %j are read", (before, after) => {
    const each = written(protocol);
    for (const by of [protocol, "auto"] as const)
      for (const inside of [...each, each.join("\n")]) {
        const reply = before + inside + after;
        expect({ reply, by, calls: read(reply, by) }).toEqual({ reply, by, calls: read(inside, protocol) });
      }
  });
});
