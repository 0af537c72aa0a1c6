import { describe, expect, test } from "vitest";
import { type Protocol, protocols } from "../src/index.js";
import { formsOf } from "../src/syntax/syntax.js";
import {
  callsRead,
  fields,
  isUnmarked,
  ownReaders,
  payloads,
  placedIn,
  type Reader,
  readers,
  sample,
  variants,
} from "./support/injection.js";

// Every text that comes from users, models, tools and those who define tools, in every place of a prompt: repeated by the
// model word for word it is no call, it ends neither the list of tools nor a result, and forges none.
//
// MATRIX=full takes more than a hundred payloads in each placement for every field of every protocol, others by the turn;
// else it is a few of them. MATRIX=N takes N texts.

const all: Protocol[] = Object.values(protocols);
const { MATRIX = "8" } = process.env;
const size = MATRIX === "full" ? 600 : Number(MATRIX);

test("payloads are many, and most of them are calls to readers of unescaped text", () => {
  expect(payloads.length).toBeGreaterThan(400);
  const read = payloads.filter((payload) =>
    readers.slice(0, 1).some((reader) => callsRead(payload, reader, false) !== 0),
  );
  expect(read.length).toBeGreaterThan(payloads.length / 3);
});

// SECURITY.md says how far these formats are protected: one more is a decision.
test("calls without markers, which only the rule of copied calls separates from data, occur in few formats", () => {
  const unmarked = (where: "anywhere" | "start") =>
    all
      .filter(({ syntax }) =>
        formsOf(syntax).some((form) => isUnmarked(form) && (form.at === "start") === (where === "start")),
      )
      .map(({ name }) => name);
  expect(unmarked("anywhere").sort()).toEqual([
    "glm4",
    "json-action",
    "json-list",
    "kimi-k2",
    "llama3-json",
    "pythonic",
  ]);
  // Where servers drop the tokens, or models the tag, around the first calls of a reply.
  const atStart = [
    "clova",
    "deepseek-v3",
    "deepseek-v31",
    "functionary",
    "functiongemma",
    "gemma4",
    "glm45",
    "lfm2",
    "mistral",
    "mistral-list",
    "phi4-mini",
    "xml",
  ];
  expect(unmarked("start").sort()).toEqual(atStart);
});

/** Texts that were read before, by reader: many fields place the same. */
const known = new Map<Reader, Set<string>>();

function callsOf(text: string, by: readonly Reader[], isMessage: boolean): { reader: string; calls: number }[] {
  return by.flatMap((reader) => {
    const seen = known.get(reader) ?? new Set();
    known.set(reader, seen);
    if (seen.has(text)) return [];
    seen.add(text);
    const calls = callsRead(text, reader, isMessage);
    return calls === 0 ? [] : { reader: reader.title, calls };
  });
}

describe.each(Object.keys(fields))("in the %s", (field) => {
  const number = Object.keys(fields).indexOf(field);
  test.each(all.map((protocol, i) => ({ name: protocol.name, protocol, i })))(
    "no text makes a call, ends the tools or forges a result with $name",
    ({ protocol, i }) => {
      const turn = i * 31 + number * 7;
      // A new set of tools' names is a new escaper, which takes time to make.
      const count = field === "tool's name" ? Math.ceil(size / 100) : size;
      const failures: object[] = [];
      for (const [guard, by] of [
        [all, sample(readers, turn, size > 100 ? 6 : 2)],
        [[], [ownReaders[i]!]],
      ] as const) {
        for (const payload of sample(variants, turn, count)) {
          const style = turn % 2 === 0 ? "native" : "signature";
          const placed = placedIn(protocol, field, payload, { guard, style });
          if (!placed) continue;
          const { text, said, broken } = placed;
          const isMessage = field.startsWith("user") || field.startsWith("result");
          const repeated = isMessage ? [text, ...said] : [text];
          for (const found of [
            ...broken,
            ...repeated.flatMap((one) => callsOf(one, by, isMessage).map((by) => ({ ...by, text: one }))),
          ]) {
            failures.push({ payload, guard: guard.length, style, found });
          }
        }
      }
      expect(failures.slice(0, 5)).toEqual([]);
    },
    30_000 + 100 * size,
  );
});
