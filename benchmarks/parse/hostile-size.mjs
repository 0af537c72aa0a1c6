// Ten times the text takes about ten times the time: for every kind of body, with content that is known to slow
// parsers. node benchmarks/parse/hostile-size.mjs [--kind TEXT] [--size 1000000]: only this, also in chunks.
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { rounded } from "@toolingua/benchmark-timing";
import { createReplyParser, protocols } from "@toolingua/core";
import { tools } from "./cases.mjs";
import { copies } from "./copies.mjs";

/** The repeated content of a reply. */
const shapes = {
  "opened tags": "<a>",
  "opened and closed tags": "<a></a>",
  "halves of tags": "</",
  brackets: "[",
  braces: "{",
  "nested objects": '{"a":',
  parentheses: "(",
  quotes: '"',
  "single quotes": "'",
  "escaped quotes": '\\"',
  backslashes: "\\",
  ampersands: "&",
  entities: "&lt;",
  fences: "```\n",
  backticks: "`",
  lines: "a: b\n",
  "list items": "- a\n",
  "deep lines": "  - - a:\n",
  labels: "\nAction: write_file\n",
  answers: "\nThought: x\nFinal Answer: y\n",
  "at signs": "\n@write_file ",
  words: "\nwrite_file\n",
  keys: '"a": 1, ',
  separators: "; ,",
  comments: "<!-- ",
  "line comments": "// a\n",
  spaces: " ",
  newlines: "\n",
  reasoning: "<think>",
  results: "<tool_result",
  CDATA: "<![CDATA[",
};

/**
 * Where a reply may be filled: in text, in the arguments of a call, in a string of it; and a call without arguments.
 */
function placesOf(protocol) {
  const call = (content) => ({ name: "write_file", arguments: { path: "a", content } });
  const [whole, other] = ["12345", "67890"].map((text) => protocol.renderCalls([call(text)], { tools }));
  const inString = whole.slice(
    0,
    [...whole].findIndex((char, i) => char !== other[i]),
  );
  const empty = protocol.renderCalls([{ name: "write_file", arguments: {} }], { tools });
  const inArguments = inString.slice(0, Math.max(0, inString.search(/[^\w]?path/)));
  return { places: { text: "", arguments: inArguments, string: inString }, empty };
}

/** A reply of about this length: a beginning, and a repeated part. */
const filled =
  (shape, before = "") =>
  (length) => [before + shape.repeat(Math.ceil(length / shape.length))];

/** The replies of a protocol by name; each makes, for a length, the reply and its untrusted texts. */
function repliesOf(protocol) {
  const { places, empty } = placesOf(protocol);
  return {
    ...Object.fromEntries(
      Object.entries(places).flatMap(([place, before]) =>
        Object.entries(shapes).map(([name, shape]) => [`${place}, ${name}`, filled(shape, before)]),
      ),
    ),
    openers: filled(places.arguments || places.string),
    "opened strings": filled(places.string),
    calls: filled(`${empty}\n`),
    ...(isBareJson(protocol) ? copies : {}),
  };
}

/** Whether a call is a JSON object without a marker, as the copies are. */
const isBareJson = (protocol) =>
  protocol.renderCalls([{ name: "write_file", arguments: {} }], { tools }).startsWith('{"name"');

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");
/** The minimum number of characters. */
const COLLECTED = 100_000;

/** The time to read a reply of about this length, in ms: at once, or in chunks of 64 characters. */
function timeOf(protocol, replyOf, length, chunk) {
  const [reply, ...untrusted] = replyOf(length);
  const parser = createReplyParser({ protocol, tools, untrusted });
  // Collects garbage of earlier cases, which could cost more than a short text itself.
  if (length >= COLLECTED) collectGarbage();
  const started = process.cpuUsage();
  if (chunk) for (let i = 0; i < reply.length; i += chunk) parser.push(reply.slice(i, i + chunk));
  else parser.push(reply);
  parser.end();
  // Of the process, so that it counts nothing else that the machine does.
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

/** One protocol for each kind of body, and those whose calls begin in a way of their own. */
function chosen() {
  const kinds = new Map();
  for (const protocol of Object.values(protocols)) {
    const { call, at = "anywhere", messages } = protocol.syntax;
    const body = call.find((part) => typeof part === "object" && "body" in part);
    const kind = [body.body, body.leaf ?? "", at, messages ? "messages" : ""].filter(Boolean).join(" ");
    if (!kinds.has(kind)) kinds.set(kind, protocol);
  }
  return kinds;
}

/** The limit for ten times the text, as a multiple of the text's time. */
const MOST = 12;
/** Below some milliseconds the clock and the collector decide. */
const LEAST = 20;
/** How often a reply that seems too slow is read again, since other load on the machine affects the time. */
const ATTEMPTS = 6;
/** The number of slowest replies of a kind for which ten times the text is read as well. */
const SLOWEST = 3;

/** The time of ten times the text, as a multiple. */
function growthOf({ protocol, replyOf, chunk, ...row }, size) {
  let [before, time] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    before = Math.min(before, timeOf(protocol, replyOf, size / 10, chunk));
    time = Math.min(time, timeOf(protocol, replyOf, size, chunk));
    if (time <= MOST * Math.max(before, LEAST)) break;
  }
  return { ...row, protocol, replyOf, chunk, size, time, ratio: time / Math.max(before, LEAST) };
}

/**
 * For each kind of body, the reply whose time grows most: all of `size` characters against a tenth of that, and the
 * slowest of ten times as many. `onSlow` is called for each reply above the limit.
 */
export function measureHostileSize(size, { only = "", chunks = [0], onSlow, onRow } = {}) {
  return [...chosen()]
    .filter(([kind, { name }]) => `${kind} ${name}`.includes(only))
    .map(([kind, protocol]) => {
      const replies = Object.entries(repliesOf(protocol)).flatMap(([name, replyOf]) =>
        chunks.map((chunk) => ({ name: `${name}${chunk ? ", streamed" : ""}`, protocol, replyOf, chunk })),
      );
      const all = replies.map((reply) => growthOf(reply, size));
      const slowest = all.toSorted((a, b) => b.time - a.time).slice(0, SLOWEST);
      const rows = [...all, ...slowest.map((reply) => growthOf(reply, size * 10))];
      for (const { name, size, time, ratio } of rows) {
        if (ratio > MOST)
          onSlow?.({ kind, protocol: protocol.name, name, size, time: rounded(time), ratio: rounded(ratio) });
      }
      const worst = rows.reduce((a, b) => (b.ratio > a.ratio ? b : a));
      const longest = rows.at(-SLOWEST);
      const row = {
        what: `hostile size, ${kind} (${protocol.name})`,
        value: rounded(worst.ratio),
        unit: "× the time",
        against: `a tenth of the text, up to ${(size * 10) / 1e6} MB`,
        most: MOST,
        detail: `${worst.name}; slowest ${rounded(longest.time)} ms: ${longest.name}`,
      };
      onRow?.(row);
      return row;
    });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values } = parseArgs({ options: { kind: { type: "string" }, size: { type: "string" } } });
  const onSlow = (row) => console.log(`more than ${MOST}: ${JSON.stringify(row)}`);
  const onRow = ({ what, value, unit, detail }) => console.log(`${what}: ${value} ${unit}; ${detail}`);
  measureHostileSize(Number(values.size ?? 1e6), { only: values.kind, chunks: [0, 64], onSlow, onRow });
}
