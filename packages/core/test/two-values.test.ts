import { describe, expect, test } from "vitest";
import { createReplyParser, getProtocol, type ToolDefinition } from "../src/index.js";
import { protocolNames } from "./arbitraries.js";

// Two values in the place of one text, `"/a" or "/b"`: neither is chosen, and the text between the outer quotes is none.

const tools: ToolDefinition[] = [
  {
    name: "remove",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, to: { type: "string" } },
      required: ["path"],
    },
  },
];

const VALUE = "VALUE";

/** Whether a quotation mark in a text is escaped as in JSON. */
const escapesQuotes = (protocol: (typeof protocolNames)[number]) =>
  getProtocol(protocol)
    .renderCalls([{ name: "remove", arguments: { path: '12"' } }], { tools })
    .includes('12\\"');

/** The protocols that write a text between quotation marks, each with its call of the tool around the text. */
const calls = protocolNames.flatMap((protocol) => {
  const call = getProtocol(protocol).renderCalls([{ name: "remove", arguments: { path: VALUE } }], { tools });
  const [before, after, ...more] = call.split(`"${VALUE}"`);
  return after === undefined || more.length > 0 || !escapesQuotes(protocol)
    ? []
    : [{ protocol, before: before!, after }];
});

/** What values begin and end with: punctuation that JSON does not escape, a space, or neither. */
const EDGES = ["", " ", ..."!#$%&'()*+,-./:;<=>?@[]^_`{|}~"];

const WORDS = ["or", "and", "to", "/", "|", "||", ",", ";", "&", "->", "=>", "or not", "//", "~", "–"];
const SEPARATORS = [
  "",
  " ",
  ...WORDS.flatMap((word) => [word, ` ${word} `]),
  ...[", ", "; ", " // not ", " /* or */ ", " (or ", ", or ", " to: ", " | or | ", "\t", "\\n", "\\nor\\n"],
];

/**
 * Whether the separator is rather a quotation within one text: it directly follows what stands before one, such as a space
 * or an opening bracket, and the rest follows it like the rest of a sentence or a program: `say "or" please`, `f("or")`.
 */
function isQuotation(end: string, separator: string, begin: string): boolean {
  if (!/^[\s)\]}:;,.!?>/+]$/.test(begin)) return false;
  const [first, last] = [/^\S/.test(separator.replace(/^\\n/, " ")), /\S$/.test(separator.replace(/\\n$/, " "))];
  if (/^[([{=]$/.test(end) && (first || separator === "")) return true;
  if (["()", "[]", "{}"].includes(end + begin)) return true;
  return /^[\s:,+]$/.test(end) && (separator === "" || (first && last));
}

const texts = SEPARATORS.flatMap((separator) =>
  EDGES.flatMap((end) =>
    EDGES.filter((begin) => !isQuotation(end, separator, begin)).map((begin) => `a${end}"${separator}"${begin}b`),
  ),
);

function paths(text: string, chunk: number, { protocol, before, after }: (typeof calls)[number]): unknown[] {
  const reply = `${before}"${text}"${after}`;
  const parser = createReplyParser({ protocol, tools });
  const pieces = Array.from({ length: Math.ceil(reply.length / chunk) }, (_, i) =>
    reply.slice(i * chunk, (i + 1) * chunk),
  );
  const events = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()];
  return events.flatMap((event) => (event.type === "call-end" ? [event.call.arguments.path] : []));
}

/** `npm test` reads some of them in each protocol, `npm run verify -- laws` more. */
const STEP = process.env.LAWS === undefined ? 397 : 7;

describe.each(calls)("two values for one text in $protocol", (call) => {
  const some = texts.filter((_, i) => i % STEP === calls.indexOf(call) % STEP);

  test.each([
    ["whole", 100_000],
    ["character by character", 1],
  ])("are not one, %s", (_, chunk) => {
    const both = some.filter((text) => paths(text, chunk, call).some((path) => String(path).includes('"')));
    expect(both).toEqual([]);
  });
});
