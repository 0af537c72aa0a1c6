import { describe, expect, test } from "vitest";
import { createReplyParser, protocols, type ToolDefinition } from "../src/index.js";
import { closersOf } from "../src/syntax/spelling.js";
import { protocolNames } from "./arbitraries.js";

// What a reply lacks of a call's end is a repair of the call, or makes it invalid.

const tools: ToolDefinition[] = [
  { name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
];

/** The calls that were read of a reply without anything to repair. */
function readAsIs(protocol: (typeof protocolNames)[number], reply: string): unknown[] {
  const parser = createReplyParser({ protocol, tools });
  const events = [...parser.push(reply), ...parser.end()];
  return events.flatMap((event) => (event.type === "call-end" && !event.call.repairs ? [event.call.arguments] : []));
}

describe.each(protocolNames)("%s", (name) => {
  const { syntax, renderCalls } = protocols[name];
  const { block, stop = [] } = syntax;
  const reply = renderCalls([{ name: "get_weather", arguments: { city: "Oslo" } }], { tools }).trimEnd();
  // The end of the block is none of a call, which may be emitted before it.
  const close = (block?.close ?? "").trim();
  const whole = reply.endsWith(close) ? reply.slice(0, reply.length - close.length).trimEnd() : reply;
  const begin = reply.indexOf("Oslo") + "Oslo".length;
  const end = whole.slice(begin);
  /** Whether the call lacks more than a stop sequence, which the server removes. */
  const isCut = (rest: string) => !stop.some((marker) => rest + marker === end);

  test("a call that is cut off within its end is invalid, or has a repair", () => {
    const cuts = [...end].map((_, length) => end.slice(0, length)).filter((rest) => isCut(rest) && rest !== end);
    const wrong = cuts.filter((rest) => readAsIs(name, whole.slice(0, begin) + rest).length > 0);
    expect(wrong.filter((rest) => rest.trim() !== end.trim())).toEqual([]);
  });

  test("a call without one of the markers of its end is invalid, or has a repair", () => {
    const markers = closersOf(syntax).call.filter((marker) => end.includes(marker));
    const wrong = markers.filter((marker) => {
      const at = end.lastIndexOf(marker);
      const rest = end.slice(0, at) + end.slice(at + marker.length);
      return isCut(rest.trimEnd()) && readAsIs(name, whole.slice(0, begin) + rest).length > 0;
    });
    expect(wrong).toEqual([]);
  });

  test("but a stop sequence at its end is not missed", () => {
    const eaten = stop.filter((marker) => end.endsWith(marker));
    for (const marker of eaten) expect(readAsIs(name, whole.slice(0, -marker.length))).toEqual([{ city: "Oslo" }]);
  });
});
