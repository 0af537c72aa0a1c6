import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { shortened, shownName } from "./shown-json.js";

const output = (size: { columns?: number; rows?: number }) => Object.assign(new PassThrough(), size);

test.each([{}, { columns: 0, rows: 0 }, { columns: 0, rows: 24 }, { columns: 80, rows: 0 }])(
  "a terminal that reports the size %j shows a short value as it is",
  (size) => {
    const json = JSON.stringify({ city: "Oslo", days: 2 }, null, 2);
    expect(shortened(json, output(size))).toEqual({ text: json, isShort: true });
  },
);

test("a value that does not fit is not short", () => {
  const json = JSON.stringify(
    Array.from({ length: 200 }, (_, i) => i),
    null,
    2,
  );
  const { text, isShort } = shortened(json, output({ columns: 80, rows: 24 }));
  expect([text.includes("left out here"), isShort]).toEqual([true, false]);
});

test.each([
  ["get_weather", "get_weather"],
  ["mcp.server:wetter/größe-2", "mcp.server:wetter/größe-2"],
  ['read {"path": "a"}', '"read {\\"path\\": \\"a\\"}"'],
  ["get_\u200bweather", '"get_\\u200bweather"'],
  ["a\u001b[2J\nb", '"a\\u001b[2J\\nb"'],
  [`a${" ".repeat(500)}b`, '"a⟨500 spaces⟩b"'],
  ["x".repeat(200), `${"x".repeat(40)}⟨120 characters⟩${"x".repeat(40)}`],
])("the name of a tool is shown with everything in it: %j", (name, text) => {
  expect(shownName(name)).toBe(text);
});
