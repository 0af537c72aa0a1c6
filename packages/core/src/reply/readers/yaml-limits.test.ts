import { describe, expect, it } from "vitest";
import { parseReply } from "../../index.js";

const tools = [
  {
    name: "write",
    parameters: { type: "object", properties: { content: { type: "string" }, rows: { type: "array" } } },
  },
];
const read = (yaml: string) => {
  const { toolCalls, invalidToolCalls } = parseReply(`<write>\n${yaml}</write>`, { protocol: "yaml", tools });
  return toolCalls[0]?.arguments ?? invalidToolCalls[0]?.error;
};

describe("arguments in YAML", () => {
  it("may be a block of text of any length", () => {
    const line = "a line of text: with - signs\n";
    expect(read(`content: |\n${`  ${line}`.repeat(40_000)}`)).toEqual({ content: line.repeat(40_000) });
  });

  it("may be an indented list of any length where text is asked for", () => {
    const lines = "    b\n".repeat(130_000);
    expect(read(`content:\n  - a\n${lines}`)).toEqual({ content: `- a\n${"  b\n".repeat(130_000)}`.trimEnd() });
  });

  it.each([
    ["lines", "  - {a: 1}\n".repeat(30_000)],
    ["keys", Array.from({ length: 30_000 }, (_, i) => `  k${i}: v\n`).join("")],
    ["colons", ": ".repeat(200_000)],
    ["what is no YAML", `"a\n${"a\n".repeat(200_000)}`],
    ["anchors", Array.from({ length: 30_000 }, (_, i) => `  - &a${i} x\n  - *a${i}\n`).join("")],
  ])("are refused if they have too many tokens: %s", (_, text) => {
    expect(read(`rows:\n${text}\n`)).toMatchObject({ code: expect.stringMatching(/^(?:limit|malformed)$/) });
    expect(read(`rows:\n${text}\n`)).toMatchObject({ message: expect.stringMatching(/100000 tokens|broken/) });
  });

  it("are refused if aliases expand to too much, or contain themselves", () => {
    const bomb = Array.from(
      { length: 12 },
      (_, i) =>
        `a${i}: &a${i} [${Array(10)
          .fill(i ? `*a${i - 1}` : "x")
          .join()}]\n`,
    );
    for (const yaml of [bomb.join(""), "rows: &a [*a]\n", "rows: &a\n  - b: *a\n  - *a\n"])
      expect(read(yaml)).toMatchObject({ code: "limit", message: expect.stringContaining("aliases") });
  });

  it("take linear time in their aliases", () => {
    const rows = Array.from({ length: 4_000 }, (_, i) => `  - &a${i} {x: ${i}}\n  - *a${i}\n`).join("");
    expect((read(`rows:\n${rows}`) as { rows: unknown[] }).rows).toHaveLength(8_000);
    expect(read("content: a\nrows:\n  - &a 1\n  - *a\n  - &a 2\n  - *a\n  - *b\n")).toEqual({
      content: "a",
      rows: [1, 1, 2, 2, "*b"],
    });
  });
});
