// Streaming in chunks of 4 characters, once warmed up.
import { ratio, shortest } from "@toolingua/benchmark-timing";
import { estimate, measured } from "@toolingua/benchmark-timing/spread.mjs";
import { chunked, sourceFile, writeFile } from "./cases.mjs";
import { ours, peers } from "./parsers.mjs";

const prose = (_, length) => sourceFile(length).replaceAll(/[`<{[]/g, "'");

const replies = [
  { title: "a string in JSON", protocol: "hermes", make: writeFile },
  { title: "text in XML", protocol: "qwen3-coder", make: writeFile },
  { title: "text in a tool's element", protocol: "tool-tags", make: writeFile },
  { title: "an answer without calls", protocol: "hermes", make: prose },
];

export async function measureStreaming(quick) {
  const [long, longer] = quick ? [10_000, 100_000] : [1_000_000, 10_000_000];
  const rows = [];
  for (const { title, protocol, make } of replies) {
    const perChunk = (length, times) => {
      const chunks = chunked(make(protocol, length), 4);
      const { value, groups } = shortest(() => ours.stream(protocol, chunks), times);
      return { value: value / chunks.length, groups: groups.map((time) => time / chunks.length) };
    };
    const time = perChunk(long, quick ? 2 : 8);
    rows.push({ what: `streaming ${title}`, ...estimate([time], (one) => one), unit: "µs a chunk", most: 0.5 });
    const ten = perChunk(longer, quick ? 2 : 4);
    rows.push(ratio(`streaming ${title}, ten times as long`, ten, time, "1 MB, a chunk", 1.5));
  }
  rows.push(await againstPeer(quick ? 2000 : 50_000, quick ? 1 : 4));
  return rows;
}

async function againstPeer(length, times) {
  const chunks = chunked(writeFile("hermes", length), 4);
  const own = shortest(() => ours.stream("hermes", chunks), times);
  const others = [];
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    await peers.aiSdk.stream("hermes", chunks);
    others.push((performance.now() - start) * 1000);
  }
  return ratio("streaming 50 KB in JSON", own, measured(others), peers.aiSdk.name, 0.25);
}
