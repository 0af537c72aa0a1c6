// Calls per second that the library can make of a model that answers at once, and what a turn costs at most.
import { compare, distribution, effort, rounded } from "@toolingua/benchmark-timing";
import { estimate, GROUPS, measured } from "@toolingua/benchmark-timing/spread.mjs";
import { conversation, copy, instant, jinja, manyTools, replyOf, templateTurn, tools, turn } from "./turns.mjs";

const AT_ONCE = 64;
const IN_ONE_REPLY = 8;
const PROMPT_ONLY = { aim: "1000+", least: 1000 };
const TEMPLATE = { aim: "800 to 1000", least: 800 };
const CONSTRAINED = { aim: "200 to 500", least: 200 };

const all = (run) => () => Promise.all(Array.from({ length: AT_ONCE }, run));

/** [group, what, target, calls made in one run, run] */
function ways() {
  const xml = instant(replyOf("xml"));
  const pieces = instant(replyOf("xml"), true);
  const several = instant(replyOf("xml", IN_ONE_REPLY));
  const hermes = instant(replyOf("hermes"));
  const reply = replyOf("hermes");
  const constrained = { protocol: "hermes", toolChoice: "required", constraint: "required", model: hermes };
  const prompt = "calls per second, prompt only";
  const template = "calls per second, through the model's chat template";
  const underGrammar = "calls per second, under a grammar: the library's share";
  return [
    [prompt, "whole replies", PROMPT_ONLY, 1, () => turn({ model: xml })],
    [prompt, "streamed in pieces of 4 characters", PROMPT_ONLY, 1, () => turn({ model: pieces })],
    [prompt, `whole replies, ${AT_ONCE} at once`, PROMPT_ONLY, AT_ONCE, all(() => turn({ model: xml }))],
    [prompt, `streamed, ${AT_ONCE} at once`, PROMPT_ONLY, AT_ONCE, all(() => turn({ model: pieces }))],
    [
      ...[prompt, `a batch of ${IN_ONE_REPLY} calls in each reply`, PROMPT_ONLY, IN_ONE_REPLY],
      () => turn({ model: several, count: IN_ONE_REPLY }),
    ],
    [prompt, "whole replies, hermes", PROMPT_ONLY, 1, () => turn({ protocol: "hermes", model: hermes })],
    [template, "a known format (Qwen 2.5)", TEMPLATE, 1, () => templateTurn("qwen2.5", reply)],
    [template, "a template in Jinja", TEMPLATE, 1, () => templateTurn(jinja, reply)],
    [underGrammar, "tools seen before", CONSTRAINED, 1, () => turn(constrained)],
    [underGrammar, `tools seen before, ${AT_ONCE} at once`, CONSTRAINED, AT_ONCE, all(() => turn(constrained))],
    [
      ...[underGrammar, "tools never seen before", CONSTRAINED, 1],
      { prepare: () => copy(tools), run: (fresh) => turn({ ...constrained, tools: fresh }) },
    ],
  ];
}

export async function measureCalls(quick) {
  const timed = ways();
  const times = await compare(
    timed.map(([, , , , run]) => run),
    effort(quick),
  );
  return timed.map(([group, what, target, calls], i) => ({
    ...{ group, what, ...estimate([times[i]], (time) => (calls * 1e6) / time), unit: "calls/s", ...target },
    detail: `${rounded(times[i].value / calls / 1000)} ms a call`,
  }));
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

const OVERHEAD = { group: "overhead", unit: "ms a call", aim: "under 10 ms", most: 10 };

/** What a turn adds to the model's own time: the median and what 99 of 100 stay below. */
export async function measureOverhead(quick) {
  const model = instant(replyOf("xml"), true);
  const many = manyTools(200);
  const long = conversation(50);
  const fresh = { prepare: () => copy(tools), run: (unseen) => turn({ model, tools: unseen }) };
  const cases = [
    ["10 tools", () => turn({ model })],
    ["10 tools never seen before", fresh],
    ["200 tools", () => turn({ model, tools: many })],
    ["200 tools never seen before", { prepare: () => copy(many), run: (unseen) => turn({ model, tools: unseen }) }],
    ["10 tools, 50 exchanges before", () => turn({ model, messages: long })],
  ];
  const rows = [];
  for (const [what, run] of cases) {
    const parts = [];
    for (let i = 0; i < (quick ? 1 : GROUPS); i++) parts.push(await distribution(run, quick ? 0.01 : 0.5));
    for (const [name, key] of [
      ["median", "p50"],
      ["99 % below", "p99"],
    ]) {
      const time = measured(
        parts.map((part) => part[key]),
        median,
      );
      rows.push({ ...OVERHEAD, what: `${what}, ${name}`, ...estimate([time], (one) => one / 1000) });
    }
  }
  return rows;
}
