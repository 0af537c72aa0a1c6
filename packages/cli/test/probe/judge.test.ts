import { validateValue } from "@toolingua/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judge } from "../../src/probe/judge.js";
import { mostQuestions, questions } from "../../src/probe/questions/bank.js";
import { questionKinds } from "../../src/probe/questions/question.js";
import { callsOf } from "./scripted-model.js";

const all = questions(mostQuestions());
const needCalls = all.filter(({ calls }) => calls.length > 0);

describe("the questions", () => {
  test("are of four kinds in turn, and differ", () => {
    expect(all.slice(0, 8).map(({ kind }) => kind)).toEqual([...questionKinds, ...questionKinds]);
    for (const key of ["id", "content"] as const) expect(new Set(all.map((one) => one[key])).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(40);
  });

  test.each(all.map((question) => [question.id, question] as const))("%s matches its kind", (_, question) => {
    const { kind, calls, tools } = question;
    expect(calls.length).toBe({ "one call": 1, choice: 1, "no call": 0, parallel: calls.length }[kind]);
    if (kind === "parallel") expect(calls.length).toBeGreaterThan(1);
    if (kind === "one call") expect(tools.length).toBe(1);
    if (kind === "choice") expect(tools.length).toBeGreaterThan(3);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    for (const { name, arguments: args } of callsOf(question)) {
      const tool = tools.find((one) => one.name === name);
      expect(validateValue(args, tool?.parameters ?? false)).toEqual([]);
    }
  });

  test("are never more than exist", () => {
    expect(() => questions(mostQuestions() + 1)).toThrow(`There are ${mostQuestions()} questions`);
  });
});

describe("an answer", () => {
  test("is right with the expected calls, in any order", () => {
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.infiniteStream(fc.nat()), (question, random) => {
        const keys = callsOf(question).map((call) => [random.next().value, call] as const);
        const mixed = keys.sort(([one], [other]) => one - other).map(([, call]) => call);
        expect(judge(question, mixed)).toBeUndefined();
      }),
    );
  });

  test("is wrong with any call missing, duplicated, renamed, or with another value", () => {
    fc.assert(
      fc.property(fc.constantFrom(...needCalls), fc.nat(), fc.nat(), (question, which, key) => {
        const calls = callsOf(question);
        const at = which % calls.length;
        const chosen = calls[at] ?? { name: "", arguments: {} };
        const keys = Object.keys(chosen.arguments);
        const changed = keys[key % keys.length] ?? "";
        const instead = (call: typeof chosen) => calls.with(at, call);
        expect(judge(question, calls.toSpliced(at, 1))).toBe(calls.length === 1 ? "no call" : "too few calls");
        expect(judge(question, [...calls, chosen])).toBe("too many calls");
        expect(judge(question, instead({ ...chosen, name: "other" }))).toBe("wrong tool");
        const wrong = { ...chosen, arguments: { ...chosen.arguments, [changed]: "something else" } };
        expect(judge(question, instead(wrong))).toBe("wrong value");
        const more = { ...chosen, arguments: { ...chosen.arguments, unasked: 1 } };
        expect(judge(question, instead(more))).toBe("wrong value");
      }),
    );
  });

  test("is wrong with a call if the question needs none", () => {
    for (const question of all.filter(({ kind }) => kind === "no call")) {
      expect(judge(question, [])).toBeUndefined();
      expect(judge(question, [{ name: question.tools[0]?.name ?? "", arguments: {} }])).toBe("needless call");
    }
  });

  test("may differ in case, space and a full stop, and omit optional arguments", () => {
    const weather = all.find(({ id }) => id === "one-call-1")!;
    const asked = (args: Record<string, unknown>) => judge(weather, [{ name: "get_weather", arguments: args }]);
    expect(asked({ city: " oslo." })).toBeUndefined();
    expect(asked({ city: "Oslo", unit: "celsius" })).toBeUndefined();
    expect(asked({ city: "Oslo", unit: null })).toBeUndefined();
    expect(asked({ city: "Oslo, Norway" })).toBe("wrong value");
    expect(asked({})).toBe("wrong value");
    expect(asked({ city: ["Oslo"] })).toBe("wrong value");
  });
});
