// Run with --expose-gc: the memory of a parser while a reply streams in, and after it, as JSON.
import { heapUsed as heap } from "@toolingua/benchmark-timing";
import { createReplyParser } from "@toolingua/core";
import { sourceFile, tools, writeFile } from "./cases.mjs";

const size = Number(process.argv[2] ?? 10) * 1_000_000;

function measure(protocol, length) {
  const piece = sourceFile(4000);
  const [before, after] = writeFile(protocol, 4000).split(
    protocol === "hermes" ? JSON.stringify(piece).slice(1, -1) : piece,
  );
  const text = protocol === "hermes" ? JSON.stringify(piece).slice(1, -1) : piece;
  const start = heap();
  const parser = createReplyParser({ protocol, tools });
  parser.push(before);
  let sent = 0;
  const sendTo = (size) => {
    for (; sent < size; sent += text.length) for (let i = 0; i < text.length; i += 4) parser.push(text.slice(i, i + 4));
    return { sent, heap: heap() };
  };
  // From a tenth on: what the engine makes once, whatever the reply's size, is not the reply's.
  const [tenth, whole] = [sendTo(length / 10), sendTo(length)];
  const during = (whole.heap - tenth.heap) / (whole.sent - tenth.sent);
  const events = [...parser.push(after), ...parser.end()];
  const call = events.find(({ type }) => type === "call-end")?.call;
  if (!call) throw new Error(`${protocol}: no call`);
  const behind = (heap() - start) / call.arguments.content.length;
  return [during, behind].map((ratio) => Number(ratio.toPrecision(3)));
}

const rows = ["hermes", "qwen3-coder"].flatMap((protocol) => {
  // Once before, so that what the engine compiles is not counted as the reply's.
  measure(protocol, 200_000);
  const [during, behind] = measure(protocol, size);
  return [
    { what: `memory held while streaming, ${protocol}`, value: during, unit: "× its size", most: 2 },
    { what: `memory held by the call, ${protocol}`, value: behind, unit: "× its size", most: 2 },
  ];
});
console.log(JSON.stringify(rows));
