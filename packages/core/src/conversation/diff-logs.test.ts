import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callOf, conversationOf, type ScriptedReply, weather } from "../../test/support/scripted-conversation.js";
import { type ConversationRecord, type ConversationTool, diffLogs } from "./index.js";

const asks = (...cities: string[]) => ({ calls: cities.map((city) => callOf("weather", { city })) });

async function logOf(replies: ScriptedReply[], tool: ConversationTool = weather()) {
  const { conversation } = conversationOf(replies, { tools: [tool] });
  await conversation.run("How is the weather?").result();
  return conversation.log;
}

const typesOf = (differences: ReturnType<typeof diffLogs>) =>
  differences.map(({ index, left, right }) => [index, left?.type, right?.type]);

describe("the difference of two logs", () => {
  it("is empty if only times, tokens and ids differ", async () => {
    const one = await logOf([asks("Oslo"), "Fine."]);
    const usage = { inputTokens: 9, outputTokens: 3 };
    const counted = (await logOf([asks("Oslo"), ["Fine.", { usage }]])).map((record) => ({ ...record, at: 1 }));
    expect(diffLogs(one, counted)).toEqual([]);
  });

  it("is one added call, without the unchanged records after it", async () => {
    const one = await logOf([asks("Oslo"), asks("Rome"), "Fine."]);
    const other = await logOf([asks("Oslo"), asks("Paris"), asks("Rome"), "Fine."]);
    const more = ["reply", "call-started", "call-settled"];
    expect(typesOf(diffLogs(one, other))).toEqual(more.map((type) => [5, undefined, type]));
    expect(typesOf(diffLogs(other, one))).toEqual(more.map((type, i) => [5 + i, type, undefined]));
  });

  it("is an added call of the same reply, with its result", async () => {
    const one = await logOf([asks("Oslo"), asks("Bonn"), "Fine."]);
    const other = await logOf([asks("Oslo", "Rome"), asks("Bonn"), "Fine."]);
    expect(typesOf(diffLogs(one, other))).toEqual([
      [2, "reply", "reply"],
      [5, undefined, "call-started"],
      [5, undefined, "call-settled"],
    ]);
  });

  it("has both sides if a message differs", async () => {
    const one = await logOf([asks("Oslo"), "Fine."]);
    const other = await logOf([asks("Oslo"), "Bad."]);
    const [only, ...rest] = diffLogs(one, other);
    expect(only).toMatchObject({ index: 5, left: { type: "reply", text: "Fine." }, right: { text: "Bad." } });
    expect(rest).toEqual([]);
  });

  it("is empty if parallel calls ended in another order", async () => {
    const inTurn = ["Oslo", "Rome"];
    const slow = {
      ...weather(),
      execute: async ({ city }: Record<string, unknown>) => {
        if (city === "Oslo") await sleep(20);
        return `Fine in ${String(city)}.`;
      },
    };
    const one = await logOf([asks(...inTurn), "Fine."]);
    const other = await logOf([asks(...inTurn), "Fine."], slow);
    const settled = (log: readonly ConversationRecord[]) =>
      log.flatMap((record) => (record.type === "call-settled" ? [record.result.content] : []));
    expect(settled(other)).toEqual(settled(one).reverse());
    expect(diffLogs(one, other)).toEqual([]);
  });

  it("includes arguments, even those named like ignored fields", async () => {
    const one = await logOf([{ calls: [{ name: "weather", arguments: { city: "Oslo", id: "1" } }] }, "Fine."]);
    const other = await logOf([{ calls: [{ name: "weather", arguments: { city: "Oslo", id: "2" } }] }, "Fine."]);
    expect(typesOf(diffLogs(one, other))).toContainEqual([2, "reply", "reply"]);
  });

  const record = fc.oneof(
    fc.record({ type: fc.constant("user" as const), content: fc.constantFrom("a", "b", "c") }),
    fc.record({ type: fc.constant("end" as const), stopReason: fc.constant("answer" as const), ms: fc.nat(9) }),
    fc.record({ type: fc.constant("exhausted" as const), limit: fc.constantFrom("steps" as const, "tokens" as const) }),
  );
  const log = fc.array(fc.record({ at: fc.nat(99) }).chain(({ at }) => record.map((body) => ({ at, ...body }))));

  it("turns one log into the other, in the order of both", () => {
    const plain = ({ at: _, ...body }: ConversationRecord) => ({ ...body, ms: 0 });
    fc.assert(
      fc.property(log, log, (a, b) => {
        const differences = diffLogs(a, b);
        const made: ConversationRecord[] = [];
        let taken = 0;
        for (const { index, left, right } of differences) {
          made.push(...a.slice(taken, index));
          taken = left ? index + 1 : index;
          if (right) made.push(right);
          if (left) expect(a[index]).toBe(left);
        }
        made.push(...a.slice(taken));
        expect(made.map(plain)).toEqual(b.map(plain));
      }),
    );
  });

  it("is the added records, wherever they are", () => {
    fc.assert(
      fc.property(log, fc.nat(99), (a, at) => {
        const place = Math.min(at, a.length);
        const added: ConversationRecord = { at: 0, type: "user", content: "new" };
        const b = [...a.slice(0, place), added, ...a.slice(place)];
        expect(diffLogs(a, b)).toEqual([{ index: place, right: added }]);
        expect(diffLogs(b, a)).toEqual([{ index: place, left: added }]);
      }),
    );
  });
});

describe("two completely different logs", () => {
  const count = 5000;
  const long = (word: string): ConversationRecord[] =>
    Array.from({ length: count }, (_, n) => ({ at: n, type: "user", content: `${word} ${n}` }));
  const other = (limit: "steps" | "calls"): ConversationRecord[] =>
    Array.from(
      { length: count },
      (_, n) => ({ at: n, type: n % 2 ? "user" : "exhausted", content: limit, limit }) as never,
    );

  it("are compared record by record within each type", () => {
    const [a, b] = [long("left"), long("right")];
    expect(diffLogs(a, b)).toEqual(a.map((left, index) => ({ index, left, right: b[index] })));
    const differences = diffLogs(a, other("steps"));
    expect(differences.flatMap(({ left }) => left ?? [])).toEqual(a);
    expect(differences.flatMap(({ right }) => right ?? [])).toEqual(other("steps"));
  });

  it("keep their common beginning and end", () => {
    const same = (content: string): ConversationRecord => ({ at: 0, type: "user", content });
    const around = (log: ConversationRecord[]) => [same("first"), ...log, same("last")];
    const [a, b] = [around(long("left")), around(long("right"))];
    const differences = diffLogs(a, b);
    expect(differences).toHaveLength(count);
    expect(differences.at(0)).toEqual({ index: 1, left: a[1], right: b[1] });
    expect(differences.at(-1)).toEqual({ index: count, left: a[count], right: b[count] });
  });
});

it("a tool may be named like an ignored field", () => {
  const begin = (tools: Record<string, string>) => ({
    at: 0,
    type: "begin" as const,
    version: 1,
    id: "c",
    messages: [],
    tools,
  });
  expect(diffLogs([begin({ at: "1" })], [begin({ at: "2" })])).toHaveLength(1);
});
