// Run with --expose-gc: what a parser holds while a reply streams in, and what is left of it, as JSON.
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
  for (; sent < length; sent += text.length) for (let i = 0; i < text.length; i += 4) parser.push(text.slice(i, i + 4));
  const during = (heap() - start) / sent;
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
