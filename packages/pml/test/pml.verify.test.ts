import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { createPmlReader, parsePml } from "../src/index.js";
import { conversionLaw, formats, roundTripLaw } from "./support/laws.js";

const RUNS = 10_000;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

test(`${RUNS} documents come back from their text`, { timeout: 3_600_000 }, () => {
  roundTripLaw(RUNS);
  console.log(`round trip: ${RUNS} documents, 0 differ`);
});

test.each(Object.keys(formats))(`${RUNS} documents go through %s`, { timeout: 3_600_000 }, (name) => {
  const same = conversionLaw(name, RUNS);
  console.log(`${name}: ${RUNS} documents, ${same} without a loss, all of these the same again`);
  expect(same).toBeGreaterThan(RUNS / 100);
});

describe("hostile input takes little time and memory", () => {
  const measured = (what: string, read: () => void, code: string) => {
    const memory = process.memoryUsage().heapUsed;
    const started = performance.now();
    expect(read).toThrow(expect.objectContaining({ code }));
    const mebibytes = Math.max(0, (process.memoryUsage().heapUsed - memory) / 2 ** 20);
    console.log(`${what}: ${code} after ${(performance.now() - started).toFixed(0)} ms, ${mebibytes.toFixed(0)} MiB`);
  };

  test("bombs of entities, 100 MB, 10,000 levels", () => {
    const bomb = `<!DOCTYPE b [${Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i} "${`&a${i - 1};`.repeat(10)}">`).join("")}]><memory/>`;
    measured("a bomb of entities", () => parsePml(bomb), "forbidden");
    const long = `<memory><fact>${"x".repeat(100_000_000)}`;
    measured("100 MB", () => parsePml(long), "limit");
    const streamed = () => {
      const reader = createPmlReader();
      for (let at = 0; at < long.length; at += 65_536) reader.push(long.slice(at, at + 65_536));
    };
    measured("100 MB in pieces", streamed, "limit");
    const json = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    measured("10,000 levels of elements", () => parsePml("<memory>".repeat(10_000)), "structure");
    const call = `<conversation><turn><user><call name="a"><arguments>{"a":${json}}</arguments></call></user></turn></conversation>`;
    measured("10,000 levels of JSON", () => parsePml(call), "limit");
  });

  test("a document of 100 MB is read in chunks, and not kept", () => {
    const line = "A text of some length &amp; an entity.\n";
    const turn = `<turn>\n<user><text>\n${line.repeat(50)}</text></user>\n</turn>\n`;
    const count = Math.ceil(100_000_000 / turn.length);
    const reader = createPmlReader({ maxLength: Number.POSITIVE_INFINITY });
    const held = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed / 2 ** 20;
    };
    const before = held();
    const started = performance.now();
    let turns = 0;
    let most = 0;
    reader.push("<conversation>");
    for (let i = 0; i < count; i++) {
      for (const event of reader.push(turn)) if (event.type === "turn") turns++;
      if (i % 5_000 === 0) most = Math.max(most, held() - before);
    }
    most = Math.max(most, held() - before);
    reader.push("</conversation>");
    reader.end();
    expect(turns).toBe(count);
    expect(most).toBeLessThan(20);
    const seconds = (performance.now() - started) / 1000;
    const speed = (turn.length * turns) / seconds / 1e6;
    console.log(
      `100 MB in ${seconds.toFixed(1)} s, ${speed.toFixed(1)} MB/s, ${most.toFixed(1)} MiB more held at most`,
    );
  });
});
