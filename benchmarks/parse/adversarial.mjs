// Ten times the text must take about ten times the time, whatever the text is made of.
import { rounded, shortest } from "@toolingua/benchmark-timing";
import { createReplyParser } from "@toolingua/core";
import { tools } from "./cases.mjs";

const signs = [
  "<",
  "{",
  "[",
  '"',
  "\\",
  "`",
  "<tool_call",
  "<tool_call>",
  "</",
  "&",
  "\n",
  "<function=",
  '{"a":',
  "[TOOL_CALLS]",
];

/** Where the signs stand: in text, where arguments begin, in a string that has begun. */
const openings = {
  hermes: ["", "<tool_call>", '<tool_call>{"name": "write_file", "arguments": {"content": "'],
  auto: ["", '{"name": "write_file", "arguments": '],
  "qwen3-coder": ["", "<tool_call><function=write_file>", "<tool_call><function=write_file>\n<parameter=content>\n"],
  "tool-tags": ["", "<write_file>", "<write_file><content>\n"],
  xml: ["", "<tool_call><name>write_file</name><arguments>"],
  pythonic: ["[", "[write_file(", '[write_file(content="'],
};

export function measureAdversarial(quick) {
  const size = quick ? 500 : 50_000;
  const time = (protocol, opening, sign, length) => {
    const reply = opening + sign.repeat(length / sign.length);
    const parse = () => {
      const parser = createReplyParser({ protocol, tools });
      parser.push(reply);
      parser.end();
    };
    return shortest(parse, 2);
  };
  return Object.entries(openings).map(([protocol, places]) => {
    const found = places.flatMap((opening) =>
      signs.map((sign) => {
        const large = time(protocol, opening, sign, size * 10);
        // Below a millisecond the clock and the collector decide.
        return { ratio: large / Math.max(time(protocol, opening, sign, size), 0.5), large, text: opening + sign };
      }),
    );
    const worst = found.reduce((a, b) => (b.ratio > a.ratio ? b : a));
    const slowest = found.reduce((a, b) => (b.large > a.large ? b : a));
    const detail = `${JSON.stringify(worst.text)}…; slowest ${rounded(slowest.large)} ms: ${JSON.stringify(slowest.text)}…`;
    return {
      what: `hostile text, ${protocol}`,
      value: rounded(worst.ratio),
      unit: "× the time",
      against: "a tenth of the text",
      most: 12,
      detail,
    };
  });
}
