import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createReplyParser, type ProtocolName, protocols } from "../src/index.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function heapUsed(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const tools = [
  {
    name: "write_file",
    parameters: { type: "object", properties: { path: { type: "string" }, content: { type: "string" } } },
  },
];
const LINE = 'const name = "world"; // said {once} [or twice]\n'.repeat(80);

/** The heap that a parser grows by while an argument streams in, as a multiple of its length. */
function heldOf(protocol: ProtocolName, length: number): number {
  const write = (content: string) =>
    protocols[protocol].renderCalls([{ name: "write_file", arguments: { path: "a", content } }], { tools });
  const [once, twice] = [write(LINE), write(LINE + LINE)];
  const written = twice.length - once.length;
  const at = [...once].findIndex((char, i) => char !== write("")[i]);
  const parser = createReplyParser({ protocol, tools });
  parser.push(once.slice(0, at));
  const piece = twice.slice(at, at + written);
  const stream = (length: number) => {
    for (let sent = 0; sent < length; sent += written)
      for (let i = 0; i < written; i += 64) parser.push(piece.slice(i, i + 64));
    return heapUsed();
  };
  // From a tenth on, because what the engine compiles is not the reply's.
  const tenth = stream(length / 10);
  const held = stream(length) - tenth;
  expect(parser.end().at(-1)).toMatchObject({ type: "call-invalid" });
  return held / length;
}

// The argument, and the reply's text. Until a call without a marker is known to be one, also its events and its input.
test.each<[ProtocolName, number]>([
  ["hermes", 2],
  ["qwen3-coder", 2],
  ["tool-tags", 2],
  ["am-xml", 2],
  ["laic", 3],
  ["pythonic", 4],
  ["llama3-json", 4],
])("%s holds a streamed argument %i times", (protocol, times) => {
  heldOf(protocol, 200_000);
  expect(heldOf(protocol, 1_500_000)).toBeLessThan(times + 0.3);
});
