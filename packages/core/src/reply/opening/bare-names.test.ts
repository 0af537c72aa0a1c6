import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { readings } from "../../../test/support/readings.js";
import { jsonBody } from "../../bodies/json.js";
import { pythonArgumentsBody } from "../../bodies/python-arguments.js";
import { defineProtocol } from "../../define-protocol.js";
import { createReplyParser } from "../../full/index.js";
import type { Form, Slot } from "../../syntax/syntax.js";

const name: Slot = { slot: "name" };
const index: Slot = { slot: "index" };
const numbered: Form["call"] = ["tasks.", name, "#", index, { body: "json" }];
const bracketed: Form["call"] = ["run ", name, "=", { body: "json" }];
const python: Form["call"] = [name, { body: "python-arguments" }];

const tools = [{ name: "lift", parameters: { type: "object", properties: { floor: { type: "integer" } } } }];

/** The arguments of the calls of a format with these forms, the same in any chunks. */
function read(calls: Form["call"][], reply: string) {
  const [first, ...also] = calls.map((call): Form => ({ at: "reply", call }));
  const protocol = defineProtocol({
    name: "unmarked",
    about: { models: "", source: "" },
    bodies: [jsonBody, pythonArgumentsBody],
    syntax: { ...first!, parallel: true, also },
    renderTools: () => "",
    renderResults: () => "",
  });
  const results = [[reply], [...reply]].map((chunks) => {
    const parser = createReplyParser({ protocol, tools, accept: "own" });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    return events.flatMap((event): unknown[] => {
      if (event.type === "call-end") return [event.call.arguments];
      return event.type === "call-invalid" ? [event.call.error.code] : [];
    });
  });
  expect(results[1]).toEqual(results[0]);
  return results[0];
}

const calls = [{ floor: 3 }];

describe("a call without a marker that begins a line", () => {
  test.each([
    ["a namespace and a number", [numbered], 'Up.\ntasks.lift#0{"floor": 3}'],
    ["a word and a space", [bracketed], 'Up.\nrun lift={"floor": 3}'],
    ["one of two ways", [numbered, python], 'Up.\ntasks.lift#0{"floor": 3}'],
    ["the other of two ways", [numbered, python], "Up.\nlift(floor=3)"],
  ])("is found with %s", (_, forms, reply) => expect(read(forms, reply)).toEqual(calls));

  test.each([
    ["the end of one way after the beginning of another", [numbered, python], "Up.\ntasks.lift(floor=3)"],
    ["the beginning of no way", [numbered, python], 'Up.\nlift#0{"floor": 3}'],
    ["another namespace", [numbered], 'Up.\njobs.lift#0{"floor": 3}'],
    ["space before the marker", [numbered], 'Up.\ntasks.lift #0{"floor": 3}'],
    ["another tool", [numbered], 'Up.\ntasks.drop#0{"floor": 3}'],
    ["words before it", [numbered], 'Up with tasks.lift#0{"floor": 3}'],
  ])("is text with %s", (_, forms, reply) => expect(read(forms, reply)).toEqual([]));

  test("may have code around it only where it is the whole reply", () =>
    expect(["", "Up.\n"].map((before) => readings(`${before}print(set_lamp(level=3))`, "pythonic"))).toEqual([
      [["set_lamp", { level: 3 }]],
      [],
    ]));
});

test("a namespace that begins the calls of another format may be before a name", () => {
  for (const between of ["", "\n"])
    expect(pieces(`functions.get_weather${between}{"city": "Oslo"}`, "glm4")).toEqual([["call", "get_weather"]]);
});
