import { describe, expect, test } from "vitest";
import { everyBody } from "../bodies/index.js";
import { createReplyParser } from "../full/index.js";
import { protocols } from "../protocols/index.js";
import { renderCalls } from "../render.js";
import type { ToolDefinition } from "../types.js";

const part = { type: "object", properties: { first_name: { type: "string" }, age: { type: "integer" } } };
const tools: ToolDefinition[] = [
  {
    name: "add",
    parameters: {
      type: "object",
      properties: { ...part.properties, part, either: { anyOf: [{ type: "null" }, part] }, any: {} },
    },
  },
];

/** Those whose arguments are JSON, as far as strings are. */
const json = Object.values(protocols).filter(({ syntax }) =>
  renderCalls(syntax, [{ name: "add", arguments: { part: { second: 1 } } }], tools, everyBody).includes('"second"'),
);

describe.each(json)("a duplicate key in $name", (protocol) => {
  /** The arguments of the calls that run for these, in which `second` is written `key`, the same in any chunks. */
  const read = (args: Record<string, unknown>, key: string) => {
    const rendered = renderCalls(protocol.syntax, [{ name: "add", arguments: args }], tools, everyBody);
    const text = rendered.replaceAll('"second"', JSON.stringify(key));
    const [whole, streamed] = [[text], [...text]].map((chunks) => {
      const parser = createReplyParser({ protocol, tools });
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
      const deltas = events.map((event) => (event.type === "call-delta" ? event.argumentsDelta : "")).join("");
      return events.flatMap((event) => {
        if (event.type === "call-end") expect(JSON.parse(deltas)).toEqual(event.call.arguments);
        return event.type === "call-end" ? [event.call.arguments] : [];
      });
    });
    expect(streamed).toEqual(whole);
    return whole;
  };

  test.each(["part", "either", "any"])("with two values in %s makes no call", (place) => {
    // Text in markup without a schema stays text.
    const objects = (args: Record<string, unknown>) =>
      read({ [place]: args }, "age")?.filter((call) => typeof call[place] === "object");
    expect(objects({ age: 1, second: 2 })).toEqual([]);
    expect(objects({ age: { a: 1 }, second: { a: 2 } })).toEqual([]);
    expect(objects({ age: 1, second: null })).toEqual([]);
  });

  test.each(["part", "either", "any"])("with one value in %s has that value", (place) => {
    expect(read({ [place]: { age: 1, second: 1 } }, "age")).toEqual([{ [place]: { age: 1 } }]);
  });

  test.each(["part", "either"])("with two values in two spellings in %s makes no call", (place) => {
    expect(read({ [place]: { second: "a", first_name: "b" } }, "firstName")).toEqual([]);
    expect(read({ [place]: { second: "a", first_name: "a" } }, "firstName")).toEqual([
      { [place]: { first_name: "a" } },
    ]);
  });
});
