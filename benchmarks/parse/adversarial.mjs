// Ten times the text must take about ten times the time, whatever its content: one long reply against the same amount
// of text in ten replies. The events of all are retained, so that garbage collection costs the same for both.
import { rounded, shortest } from "@toolingua/benchmark-timing";
import { createReplyParser } from "@toolingua/core";
import { tools } from "./cases.mjs";
import { copies } from "./copies.mjs";

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

/** The place of the characters: in text, at the beginning of arguments, in an open string. */
const openings = {
  hermes: ["", "<tool_call>", '<tool_call>{"name": "write_file", "arguments": {"content": "'],
  auto: ["", '{"name": "write_file", "arguments": '],
  "qwen3-coder": ["", "<tool_call><function=write_file>", "<tool_call><function=write_file>\n<parameter=content>\n"],
  "tool-tags": ["", "<write_file>", "<write_file><content>\n"],
  xml: ["", "<tool_call><name>write_file</name><arguments>"],
  pythonic: ["[", "[write_file(", '[write_file(content="'],
};

/** The replies are parsed, each beside its untrusted text, and their events kept until the last one is. */
const parseAll = (protocol, replies) =>
  replies.map(([reply, ...untrusted]) => {
    const parser = createReplyParser({ protocol, tools, untrusted });
    return [parser.push(reply), parser.end()];
  });

const inFormat = (protocol, text) => (protocol === "hermes" ? text.replace(/.+/g, "<tool_call>$&</tool_call>") : text);

export function measureAdversarial(quick) {
  const length = quick ? 5000 : 500_000;
  const compareOne = (protocol, name, replyOf) => {
    const whole = [replyOf(length)];
    const parts = Array(10).fill(replyOf(length / 10));
    let [one, ten] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    // In turns, so that they share what else the machine does.
    for (let round = 0; round < 2; round++) {
      ten = Math.min(
        ten,
        shortest(() => parseAll(protocol, parts), 1),
      );
      one = Math.min(
        one,
        shortest(() => parseAll(protocol, whole), 1),
      );
    }
    // Below some milliseconds the clock and the collector decide.
    return { ratio: one / Math.max(ten, 5), time: one, text: name };
  };
  const repeated = Object.entries(openings).map(([protocol, places]) => [
    `hostile text, ${protocol}`,
    places.flatMap((opening) =>
      signs.map((sign) =>
        compareOne(protocol, opening + sign, (length) => [opening + sign.repeat(length / sign.length)]),
      ),
    ),
  ]);
  const copied = ["hermes", "llama3-json"].map((protocol) => [
    `copies of untrusted text, ${protocol}`,
    Object.entries(copies).map(([name, texts]) =>
      compareOne(protocol, name, (length) => texts(length).map((text) => inFormat(protocol, text))),
    ),
  ]);
  return [...repeated, ...copied].map(([what, found]) => {
    const worst = found.reduce((a, b) => (b.ratio > a.ratio ? b : a));
    const slowest = found.reduce((a, b) => (b.time > a.time ? b : a));
    const detail = `${JSON.stringify(worst.text)}…; slowest ${rounded(slowest.time)} ms: ${JSON.stringify(slowest.text)}…`;
    return {
      what,
      value: rounded(worst.ratio),
      unit: "× the time",
      against: "as much text in ten replies",
      most: 1.5,
      detail,
    };
  });
}
