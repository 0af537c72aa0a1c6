import { describe, expect, test } from "vitest";
import { type Piece, pieces } from "../../../test/support/pieces.js";

const json = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';
const other = json.replace("Oslo", "Rome");
const python = 'get_weather(city="Oslo")';
const weather: Piece = ["call", "get_weather"];

describe.each(["llama3-json", "json-list", "hermes", "pythonic"] as const)(
  "in %s, a line that begins with a hash",
  (by) => {
    test.each([
      `# Option A\n${json}\n\n# Option B\n${other}\n\nWhich one?`,
      `# Option 1\n${json}\n# Option 2\n${other}`,
      `${json}\n# or\n${other}`,
    ])("is words between JSON, of which none runs: %s", (reply) =>
      expect(pieces(reply, by)).toEqual([["text", reply]]),
    );

    test("is a heading before JSON, and text", () =>
      expect(pieces(`# The tool call\n${json}`, by)).toEqual([["text", "# The tool call"], weather]));

    test("is a comment before Python", () => {
      const reply = `# The weather\n${python}`;
      expect(pieces(reply, by).filter(([kind]) => kind !== "dropped")).toEqual([weather]);
    });
  },
);

test.each(["hermes", "xml"] as const)("of two calls with `or` between one pair of markers none runs: %s", (by) => {
  for (const or of [" or ", "\nor\n", " OR "])
    expect(pieces(`<tool_call>\n${json}${or}${other}\n</tool_call>`, by).filter(([kind]) => kind === "call")).toEqual(
      [],
    );
});
