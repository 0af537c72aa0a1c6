import fc from "fast-check";
import { expect, it } from "vitest";
import { type Conversation, type Converted, gemini, providers } from "./index.js";

// Logs lack ids: results then answer the calls in order.

/** What reads a log of any format. */
interface LogReader {
  fromRequest(request: unknown): Converted<Conversation>;
}

/** The same turns in each format, a result's text being the place of the call it answers. */
type Asked = { name: string; at: string; id?: string; said?: string };
const logs: [string, LogReader, (turns: { calls: Asked[]; answers: Asked[] }[]) => unknown][] = [
  [
    "OpenAI's Chat Completions",
    providers.openai as LogReader,
    (turns) => ({
      messages: turns.flatMap(({ calls, answers }) => [
        {
          role: "assistant",
          content: null,
          tool_calls: calls.map(({ name, at, id }) => ({
            type: "function",
            function: { name, arguments: JSON.stringify({ at }) },
            id,
          })),
        },
        ...answers.map(({ name, at, said }) => ({ role: "tool", name, content: at, tool_call_id: said })),
        { role: "user", content: "go on" },
      ]),
    }),
  ],
  [
    "OpenAI's Responses",
    providers["openai-responses"] as LogReader,
    (turns) => ({
      input: turns.flatMap(({ calls, answers }) => [
        ...calls.map(({ name, at, id }) => ({
          type: "function_call",
          name,
          arguments: JSON.stringify({ at }),
          call_id: id,
        })),
        ...answers.map(({ at, said }) => ({ type: "function_call_output", output: at, call_id: said })),
        { role: "user", content: "go on" },
      ]),
    }),
  ],
  [
    "Anthropic's Messages",
    providers.anthropic as LogReader,
    (turns) => ({
      messages: turns.flatMap(({ calls, answers }) => [
        {
          role: "assistant",
          content: calls.map(({ name, at, id }) => ({ type: "tool_use", name, input: { at }, id })),
        },
        {
          role: "user",
          content: [
            ...answers.map(({ at, said }) => ({ type: "tool_result", content: at, tool_use_id: said })),
            { type: "text", text: "go on" },
          ],
        },
      ]),
    }),
  ],
];

it.each(logs)(
  "calls and results without ids find each other in order in logs of %s, and that is reported",
  (_, provider, log) => {
    const asked = fc.array(
      fc.record({
        calls: fc.array(fc.record({ name: fc.constantFrom("a", "b"), hasId: fc.boolean() }), {
          minLength: 1,
          maxLength: 4,
        }),
        unanswered: fc.nat(2),
      }),
      { maxLength: 4 },
    );
    const law = fc.property(asked, (turns) => {
      const given = turns.map(({ calls, unanswered }, t) => {
        const all = calls.map(({ name, hasId }, i): Asked => {
          const at = `${t}.${i}`;
          return { name, at, ...(hasId && { id: `id ${at}`, said: `id ${at}` }) };
        });
        return { calls: all, answers: all.slice(0, Math.max(0, all.length - unanswered)) };
      });
      const request: unknown = JSON.parse(JSON.stringify(log(given)));
      const { value, losses } = provider.fromRequest(request);
      const calls = value.messages.flatMap((one) => (one.role === "assistant" ? (one.toolCalls ?? []) : []));
      const byId = new Map(calls.map((one) => [one.id, one]));
      expect(byId.size).toBe(calls.length);
      for (const one of value.messages) {
        if (one.role === "tool")
          expect([byId.get(one.toolCallId)?.arguments.at, one.name]).toEqual([
            one.content,
            byId.get(one.toolCallId)?.name,
          ]);
      }
      const missing = given.flatMap(({ calls, answers }) => [
        ...calls.map(({ id }) => id),
        ...answers.map(({ said }) => said),
      ]);
      expect(losses.filter(({ what }) => what === "id")).toHaveLength(missing.filter((id) => id === undefined).length);
      expect(provider.fromRequest(request)).toEqual({ value, losses });
    });
    fc.assert(law, { numRuns: 500 });
  },
);

/** What the model calls in a turn, and how it is answered: which say an id, how many get none, which tool comes first. */
const turn = fc.record({
  calls: fc.array(fc.record({ name: fc.constantFrom("a", "b"), id: fc.boolean(), said: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  }),
  unanswered: fc.nat(2),
  isReversed: fc.boolean(),
});

it("Gemini's results are matched to their calls, with or without ids, in any order of the tools", () => {
  const law = fc.property(fc.array(turn, { maxLength: 4 }), (turns) => {
    const contents = turns.flatMap(({ calls, unanswered, isReversed }, t) => {
      const parts = calls.map(({ name, id }, i) => ({
        functionCall: { name, args: { at: `${t}.${i}` }, ...(id && { id: `id ${t}.${i}` }) },
      }));
      const results = calls.map(({ name, said }, i) => ({
        functionResponse: { name, response: { output: `${t}.${i}` }, ...(said && { id: `id ${t}.${i}` }) },
      }));
      const of = (name: string) => results.filter(({ functionResponse }) => functionResponse.name === name);
      const ordered = isReversed ? [...of("b"), ...of("a")] : [...of("a"), ...of("b")];
      const answers = ordered.slice(0, Math.max(0, ordered.length - unanswered));
      return [
        { role: "model", parts },
        { role: "user", parts: [...answers, { text: "go on" }] },
      ];
    });
    const { value, losses } = gemini.fromRequest({ contents });
    const calls = new Map(
      value.messages
        .flatMap((one) => (one.role === "assistant" ? (one.toolCalls ?? []) : []))
        .map((one) => [one.id, one]),
    );
    const wrong = value.messages.filter(
      (one) => one.role === "tool" && calls.get(one.toolCallId)?.arguments.at !== one.content,
    );
    const others = losses.filter(({ what }) => what !== "result");
    expect({ wrong, others }).toEqual({ wrong: [], others: [] });
  });
  fc.assert(law, { numRuns: 1_000 });
});
