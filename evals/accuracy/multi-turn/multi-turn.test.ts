import { getProtocol, type TextModelRequest } from "@toolingua/core";
import { describe, expect, it, test } from "vitest";
import { ask } from "../ask.mjs";
import { cellOf, isFor } from "../cells.mjs";
import { loadQuestions } from "../questions.mjs";
import { isSame, play } from "./world.mjs";

interface Call {
  name: string;
  arguments: Record<string, unknown>;
}
interface Turn {
  say: string;
  calls: Call[];
  state: unknown;
}
interface Scenario {
  id: string;
  level: number;
  half: string;
  start: unknown;
  tools: { name: string; parameters: { properties: object } }[];
  turns: Turn[];
}
const scenarios: Scenario[] = loadQuestions("multi_turn");

const answer = { name: "answer", parameters: { type: "object", properties: { text: { type: "string" } } } };
/** How a call is written in each of these cells, and what ends a turn. */
const hermes = (call: Call) => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`;
const cells: Record<string, { write: (call: Call, tools: object[]) => string; end: string }> = {
  "hermes/native/off/no-retry/0": { write: hermes, end: "Done." },
  "xml/compact/off/retry/1": {
    write: (call, tools) => getProtocol("xml").renderCalls([call], { tools: tools as (typeof answer)[] }),
    end: "Done.",
  },
  "hermes/native/grammar/no-retry/0": { write: hermes, end: hermes({ name: "answer", arguments: { text: "Done." } }) },
  "hermes/native/prefill/no-retry/0": { write: hermes, end: hermes({ name: "answer", arguments: { text: "Done." } }) },
  "ai-sdk-tool hermes": { write: hermes, end: "Done." },
  "LangChain structured chat": {
    write: ({ name, arguments: input }) =>
      `Action:\n\`\`\`json\n${JSON.stringify({ action: name, action_input: input })}\n\`\`\``,
    end: 'Action:\n```json\n{"action": "Final Answer", "action_input": "Done."}\n```',
  },
  "LlamaIndex ReAct": {
    write: ({ name, arguments: input }) => `Thought: Next.\nAction: ${name}\nInput: ${JSON.stringify(input)}`,
    end: "Thought: That is all.\nAnswer: Done.",
  },
};
const plain = "hermes/native/off/no-retry/0";

/** Lets a model that makes these calls, turn by turn, hold the conversation. */
async function hold(scenario: Scenario, calls: Call[][], cell = plain) {
  const { write, end } = cells[cell]!;
  const replies = calls.flatMap((turn) => [...turn.map((call) => write(call, [...scenario.tools, answer])), end]);
  const requests: TextModelRequest[] = [];
  async function* model(request: TextModelRequest) {
    requests.push(request);
    const reply = replies.shift() ?? end;
    const { prefill = "" } = request;
    yield reply.startsWith(prefill) ? reply.slice(prefill.length) : reply;
    yield { usage: { inputTokens: 10, outputTokens: 5 } };
  }
  const outcome = await ask(scenario, cellOf(cell), { model }, { seed: 1, maxTokens: 64 });
  return { ...outcome, requests };
}
const solution = ({ turns }: Scenario) => turns.map(({ calls }) => calls);

/** The same value, but another one. */
function altered(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  return `another ${value}`;
}

/** The calls that change something, with where they are. */
function changes({ start, tools, turns }: Scenario) {
  let state = start;
  return turns.flatMap(({ calls }, turn) =>
    calls.flatMap((call, i) => {
      const before = state;
      ({ state } = play(tools, state, call));
      return isSame(before, state) ? [] : [{ turn, i, call }];
    }),
  );
}

describe("the scenarios", () => {
  it("are fifty, graded, in both halves, each of two to four turns that change something", () => {
    expect(scenarios).toHaveLength(50);
    expect(new Set(scenarios.map(({ id }) => id)).size).toBe(50);
    for (const level of [1, 2, 3]) expect(scenarios.filter((one) => one.level === level).length).toBeGreaterThan(15);
    for (const half of ["a", "b"]) expect(scenarios.filter((one) => one.half === half).length).toBeGreaterThan(15);
    for (const { turns } of scenarios) expect([2, 3, 4]).toContain(turns.length);
    expect(scenarios.filter((one) => changes(one).length === 0)).toEqual([]);
  });

  it("of level 1 have tools of one argument at most, or two", () => {
    for (const { tools } of scenarios.filter(({ level }) => level === 1)) {
      expect(tools.length).toBeLessThanOrEqual(2);
      for (const { parameters } of tools) expect(Object.keys(parameters.properties).length).toBeLessThanOrEqual(2);
    }
  });

  it("have turns without calls, mistakes to mend, and values that only an earlier result has", () => {
    const idle = scenarios.filter(({ turns }) => turns.some(({ calls }) => calls.length === 0));
    const mended = scenarios.filter(({ start, tools, turns }) => {
      let state = start;
      return turns
        .flatMap(({ calls }) => calls)
        .some((call) => {
          const played = play(tools, state, call);
          ({ state } = played);
          return played.isError;
        });
    });
    const told = scenarios.filter(({ turns }) => {
      const said = turns.map(({ say }) => say).join("\n");
      const values = turns.flatMap(({ calls }) => calls.flatMap((call) => Object.values(call.arguments)));
      return values.some(
        (value) => /^(ev-\d|[A-Z]\d[A-Z]{2}|[A-Z]{2}\d\d)$/.test(String(value)) && !said.includes(String(value)),
      );
    });
    expect(idle.length).toBeGreaterThan(15);
    expect(mended.length).toBeGreaterThan(10);
    expect(told.length).toBeGreaterThan(5);
  });

  test.each(Object.keys(cells))("are all right for a perfect model (%s)", async (cell) => {
    for (const scenario of scenarios) {
      const { id, turns } = scenario;
      const { right, turnsRight, failed, attempts } = await hold(scenario, solution(scenario), cell);
      const asked = turns.length + solution(scenario).flat().length;
      expect({ id, right, turnsRight, failed, attempts }).toEqual({
        ...{ id, right: true, failed: false },
        ...{ turnsRight: turns.length, attempts: asked },
      });
    }
  });

  it("are all wrong for a model that calls nothing", async () => {
    for (const scenario of scenarios) expect(await hold(scenario, [])).toMatchObject({ right: false, calls: [] });
  });

  test.each(scenarios.map((scenario) => [scenario.id, scenario] as const))(
    "%s is wrong with one call left out, or one of its arguments another",
    async (_, scenario) => {
      const without = (turn: number, i: number, ...instead: Call[]) =>
        solution(scenario).map((calls, t) => (t === turn ? calls.toSpliced(i, 1, ...instead) : calls));
      for (const { turn, i, call } of changes(scenario)) {
        const wrong = Object.entries(call.arguments).map(([key, value]) => ({
          ...call,
          arguments: { ...call.arguments, [key]: altered(value) },
        }));
        for (const calls of [without(turn, i), ...wrong.map((other) => without(turn, i, other))])
          expect({ call, ...(await hold(scenario, calls)) }).toMatchObject({ call, right: false });
      }
    },
  );

  it("are wrong where more was done than asked for", async () => {
    const [scenario] = scenarios;
    const calls = solution(scenario!);
    calls[1] = [...calls[1]!, { name: "lamp_on", arguments: { lamp: "bedroom" } }];
    expect(await hold(scenario!, calls)).toMatchObject({ right: false, turnsRight: 1 });
  });
});

describe("a conversation", () => {
  const scenario = scenarios.find(({ id }) => id === "multi_turn_home_6")!;

  it("goes on after a mistake, which the model is told of", async () => {
    const { requests, tokensIn, tokensOut } = await hold(scenario, solution(scenario));
    const told = requests[1]!.messages.map(({ content }) => content).join("\n");
    expect(told).toContain("The balcony door is unlocked. Lock it first.");
    expect([tokensIn, tokensOut]).toEqual([10 * requests.length, 5 * requests.length]);
  });

  it("ends a turn after six steps, and at a step that repeats the one before and changes nothing", async () => {
    const status = { name: "status", arguments: {} };
    const lamp = { name: "lamp_on", arguments: { lamp: "hall" } };
    const alternating = await hold(scenario, [Array.from({ length: 100 }, (_, i) => (i % 2 ? status : lamp))]);
    expect([alternating.requests.length, alternating.right]).toEqual([12, false]);
    const repeating = await hold(scenario, [Array(100).fill(status)]);
    expect([repeating.requests.length, repeating.right]).toEqual([4, false]);
  });

  it("says how many calls of the solution were made, each in its turn", async () => {
    const [first, ...rest] = solution(scenario);
    expect(await hold(scenario, [first!, ...rest])).toMatchObject({ callsRight: 5, callsWanted: 5 });
    expect(await hold(scenario, [first!.slice(0, 2)])).toMatchObject({ callsRight: 2, callsWanted: 5 });
  });

  it("is none for a peer that knows only one question", () => {
    const [question] = scenarios;
    expect(isFor(cellOf("LangChain XML"), { ...question, category: "multi_turn" })).toBe(false);
    expect(isFor(cellOf("LlamaIndex ReAct"), { ...question, category: "multi_turn" })).toBe(true);
    expect(isFor(cellOf("xml/json/grammar/no-retry/0"), { ...question, category: "multi_turn" })).toBe(true);
    expect(isFor(cellOf("native/auto/0"), { ...question, category: "multi_turn" })).toBe(true);
    expect(isFor(cellOf("node-llama-cpp/auto/0"), { ...question, category: "multi_turn" })).toBe(false);
  });
});

describe("a world", () => {
  const tools = [
    {
      name: "add",
      parameters: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
      run: (state: { list: string[] }, { item }: { item: string }) => {
        state.list.push(item);
        if (item === "bad") throw new Error("Not that one.");
      },
    },
  ];
  const start = { list: ["a"] };

  it("is not changed by a call: there is a new one", () => {
    const { state, content } = play(tools, start, { name: "add", arguments: { item: "b" } });
    expect([start, state, content]).toEqual([{ list: ["a"] }, { list: ["a", "b"] }, "done"]);
  });

  it("stays as it was after a mistake, an unknown tool, or arguments that do not match", () => {
    const told = (call: object) => play(tools, start, call);
    expect(told({ name: "add", arguments: { item: "bad" } })).toEqual({
      state: start,
      content: "Not that one.",
      isError: true,
    });
    expect(told({ name: "sub", arguments: {} })).toMatchObject({ state: start, isError: true });
    expect(told({ name: "add", arguments: { item: 5 } })).toMatchObject({
      state: start,
      content: expect.stringContaining("item"),
      isError: true,
    });
  });

  it("is the same whatever the order of lists, the ids and the case", () => {
    const one = {
      events: [
        { id: 1, title: "Lunch" },
        { id: 2, title: "Choir" },
      ],
      on: true,
    };
    const other = {
      on: true,
      events: [
        { id: 1, title: "choir." },
        { id: 2, title: "lunch" },
      ],
    };
    expect(isSame(one, other)).toBe(true);
    expect(isSame(one, { ...other, on: false })).toBe(false);
  });
});
