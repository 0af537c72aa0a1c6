// Ten times the text must take about ten times the time, whatever its content: one long reply against the same amount
// of text in ten replies. The events of all are retained, so that garbage collection costs the same for both.
import { worstGrowth } from "@toolingua/benchmark-timing";
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

/** Reads a reply beside its untrusted texts. */
const parse =
  (protocol, [reply, ...untrusted]) =>
  () => {
    const parser = createReplyParser({ protocol, tools, untrusted });
    return [parser.push(reply), parser.end()];
  };

const inFormat = (protocol, text) => (protocol === "hermes" ? text.replace(/.+/g, "<tool_call>$&</tool_call>") : text);

export function measureAdversarial(quick) {
  const length = quick ? 1000 : 500_000;
  const caseOf = (protocol, text, replyOf) => ({
    name: `${JSON.stringify(text)}…`,
    work: {
      whole: () => [parse(protocol, replyOf(length))],
      parts: () => Array(10).fill(parse(protocol, replyOf(length / 10))),
    },
  });
  const repeated = Object.entries(openings).map(([protocol, places]) => [
    `hostile text, ${protocol}`,
    places.flatMap((opening) =>
      signs.map((sign) => caseOf(protocol, opening + sign, (length) => [opening + sign.repeat(length / sign.length)])),
    ),
  ]);
  const copied = ["hermes", "llama3-json"].map((protocol) => [
    `copies of untrusted text, ${protocol}`,
    Object.entries(copies).map(([name, texts]) =>
      caseOf(protocol, name, (length) => texts(length).map((text) => inFormat(protocol, text))),
    ),
  ]);
  const how = { rounds: quick ? 1 : 2, against: "as much text in ten replies", most: 1.5 };
  return [...repeated, ...copied].map(([what, cases]) => worstGrowth(what, cases, how));
}
