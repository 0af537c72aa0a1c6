import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReplyParser, type ProtocolName, type ToolDefinition } from "../src/index.js";
import { protocolNames } from "./arbitraries.js";
import { arrow, type Judged, judge, path, print, scenarios, type Verdict, word } from "./support/slipped-calls.js";
import { type SlipKind, slipKinds } from "./support/slips.js";

// A reply with one slip in it: what runs is what was meant, or nothing.
//
// SILENT_CALLS=12 npx vitest run packages/core/test/silent-calls.test.ts   prints the table of kinds and protocols;
// with SILENT_SHOW=3 some of what is wrong in each cell, with SILENT_ONLY=hermes,yaml those protocols alone.

/** The slips in replies with escapes: for other kinds, quotes in the values make the format's own ambiguous. */
const escapes: readonly SlipKind[] = ["lose a backslash", "escape once more"];

/** The slips in replies with values that hold `>`: some kinds would change the value. */
const arrows: readonly SlipKind[] = ["lose a tag's end"];

const given = (count: number) => [
  ...fc.sample(scenarios(word), { seed: 7, numRuns: count }).map((scenario) => ({ scenario, kinds: slipKinds })),
  ...fc
    .sample(scenarios(path), { seed: 11, numRuns: Math.ceil(count / 4) })
    .map((scenario) => ({ scenario, kinds: escapes })),
  ...fc
    .sample(scenarios(arrow), { seed: 13, numRuns: Math.ceil(count / 2) })
    .map((scenario) => ({ scenario, kinds: arrows })),
];

describe.each(protocolNames)("%s", (protocol) => {
  test("no slip in a reply makes a call that nobody meant", () => {
    const wrong = given(2).flatMap(({ scenario, kinds }) =>
      judge(protocol, scenario)
        .filter(({ kind, verdict }) => kinds.includes(kind) && verdict === "wrong")
        .map(({ kind, text, got }) => ({ kind, text, got, wanted: scenario.calls.map(print) })),
    );
    expect(wrong).toEqual([]);
  });
});

describe.each(protocolNames)("%s", (protocol) => {
  test("a reply with a slip is read the same character by character", () => {
    const [{ scenario }] = given(1) as [ReturnType<typeof given>[number]];
    const { tools } = scenario;
    for (const [i, { text }] of judge(protocol, scenario).entries()) {
      if (i % 3 > 0) continue;
      expect({ text, ...read([...text], tools, protocol) }).toEqual({ text, ...read([text], tools, protocol) });
    }
  });
});

/** The calls of a reply, with what their deltas say, and the text around them. */
function read(chunks: readonly string[], tools: ToolDefinition[], protocol: ProtocolName) {
  const parser = createReplyParser({ tools, protocol, generateId: () => "id" });
  const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
  const calls = events.flatMap((event) => ("call" in event ? [{ type: event.type, ...event.call }] : []));
  const said = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  for (const event of events) {
    if (event.type !== "call-end") continue;
    const deltas = events.map((one) =>
      one.type === "call-delta" && one.index === event.index ? one.argumentsDelta : "",
    );
    expect(JSON.parse(deltas.join(""))).toEqual(event.call.arguments);
  }
  return { calls, said };
}

const verdicts: readonly Verdict[] = ["right", "refused", "lost", "wrong"];
const count = Number(process.env.SILENT_CALLS ?? 0);

test.skipIf(count === 0)(
  "the table of slips",
  () => {
    const only = process.env.SILENT_ONLY?.split(",");
    const counts = new Map<string, Record<Verdict, number>>();
    const wrong = new Map<string, (Judged & { wanted: string })[]>();
    for (const protocol of protocolNames.filter((name) => only?.includes(name) ?? true)) {
      for (const { scenario, kinds } of given(count)) {
        for (const slip of judge(protocol, scenario).filter(({ kind }) => kinds.includes(kind))) {
          for (const key of [slip.kind, protocol, "all"]) {
            const row = counts.get(key) ?? { right: 0, refused: 0, lost: 0, wrong: 0 };
            row[slip.verdict]++;
            counts.set(key, row);
          }
          if (slip.verdict !== "wrong") continue;
          const cell = `${slip.kind} × ${protocol}`;
          wrong.set(cell, [...(wrong.get(cell) ?? []), { ...slip, wanted: scenario.calls.map(print).join(" ") }]);
        }
      }
    }
    const line = (key: string) => {
      const row = counts.get(key) ?? { right: 0, refused: 0, lost: 0, wrong: 0 };
      return key.padEnd(28) + verdicts.map((verdict) => String(row[verdict]).padStart(8)).join("");
    };
    const title = "".padEnd(28) + verdicts.map((verdict) => verdict.padStart(8)).join("");
    console.log([title, ...slipKinds.map(line), "", ...protocolNames.map(line), "", line("all")].join("\n"));
    for (const [cell, list] of wrong) {
      const shown = list.slice(0, Number(process.env.SILENT_SHOW ?? 0));
      const lines = shown.map(
        ({ text, wanted, got }) => `  ${JSON.stringify(text)}\n    ${wanted}\n    ${got.join(" ")}`,
      );
      console.log([`${cell}: ${list.length}`, ...lines].join("\n"));
    }
  },
  1_200_000,
);
