import { describe, expect, test } from "vitest";
import { defineProtocol, type Protocol, protocols } from "../src/index.js";
import { clashesOf } from "./support/marker-clashes.js";

// Every registered protocol is read in every reply, so a marker must not occur within one of another format.

const all: readonly Protocol[] = Object.values(protocols);

describe.each(all.map((protocol) => ({ name: protocol.name, protocol })))("the markers of $name", ({ protocol }) => {
  test("are not within a marker of another format", () => {
    expect(clashesOf(protocol, all)).toEqual([]);
  });
});

test("a marker within that of another format is named with it", () => {
  const bars = defineProtocol({
    name: "bars",
    about: { models: "none", source: "this test" },
    syntax: { parallel: true, call: ["|call", { slot: "name" }, "|", { body: "json" }, "end|"] },
    renderTools: () => "",
    renderResults: () => "",
  });
  expect(clashesOf(bars, all)).toContain(
    'The marker "|call" of bars is within "<|call|>" of harmony: there it would be read as the beginning of a call. Choose a marker that occurs in no other.',
  );
});
