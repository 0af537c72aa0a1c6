import { protocols, type TextMessage, type TextModel } from "@toolingua/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { between, hasUnmarkedCall, readers, sample, tools, variants } from "../../core/test/support/injection.js";
import { serve } from "../src/index.js";

// Texts that want to be calls, in every place of a request that others than the application fill, over HTTP: a model that
// repeats them word for word makes no call, and is not asked again for one. System texts are the application's.
//
// MATRIX=full takes 20 texts in each place, for each API and protocol; MATRIX=N takes N; else two, and each place has a quarter
// of the protocols.

const { MATRIX } = process.env;
const size = MATRIX === "full" ? 20 : Number(MATRIX ?? 2);
const HARMLESS = "harmlessword";
const names = Object.keys(protocols);

interface Texts {
  user: string;
  result: string;
  argument: string;
  description: string;
  parameter: string;
}
const harmless: Texts = { user: "Hi", result: "3", argument: "1", description: "Other.", parameter: "A key." };
/** Where a text comes into a request; `isMessage`: it is what somebody says, and not a definition or a past call. */
const places: Record<keyof Texts, { isMessage: boolean }> = {
  user: { isMessage: true },
  result: { isMessage: true },
  argument: { isMessage: false },
  description: { isMessage: false },
  parameter: { isMessage: false },
};

const definitions = ({ description, parameter: about }: Texts) =>
  [
    ...tools,
    {
      name: "other",
      description,
      parameters: { type: "object", properties: { key: { type: "string", description: about } } },
    },
  ].map(({ parameters, ...tool }) => ({ ...tool, schema: parameters }));

/** A conversation with these texts, as each API has it. */
const apis: { api: string; path: string; body(texts: Texts): object }[] = [
  {
    api: "Chat Completions",
    path: "/v1/chat/completions",
    body: (texts) => ({
      tools: definitions(texts).map(({ schema, ...tool }) => ({
        type: "function",
        function: { ...tool, parameters: schema },
      })),
      messages: [
        { role: "user", content: texts.user },
        {
          role: "assistant",
          tool_calls: [
            { id: "c", type: "function", function: { name: "add", arguments: JSON.stringify({ a: texts.argument }) } },
          ],
        },
        { role: "tool", tool_call_id: "c", content: texts.result },
      ],
    }),
  },
  {
    api: "Responses",
    path: "/v1/responses",
    body: (texts) => ({
      tools: definitions(texts).map(({ schema, ...tool }) => ({ type: "function", ...tool, parameters: schema })),
      input: [
        { role: "user", content: texts.user },
        { type: "function_call", call_id: "c", name: "add", arguments: JSON.stringify({ a: texts.argument }) },
        { type: "function_call_output", call_id: "c", output: texts.result },
      ],
    }),
  },
  {
    api: "Messages",
    path: "/v1/messages",
    body: (texts) => ({
      max_tokens: 1000,
      tools: definitions(texts).map(({ schema, ...tool }) => ({ ...tool, input_schema: schema })),
      messages: [
        { role: "user", content: texts.user },
        { role: "assistant", content: [{ type: "tool_use", id: "c", name: "add", input: { a: texts.argument } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: texts.result }] },
      ],
    }),
  },
];

/** The prompts that the model was sent, and what it says to the next. */
let prompts: (readonly TextMessage[])[] = [];
let says = (_prompt: readonly TextMessage[]): string => "Hi";
const parrot: TextModel = async function* ({ messages }) {
  prompts.push(messages);
  for (const piece of says(messages).match(/[\s\S]{1,9}/g) ?? []) yield piece;
};

let gateway: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  const models = Object.keys(protocols).map((name) => ({
    name,
    protocol: name as keyof typeof protocols,
    model: parrot,
  }));
  gateway = await serve({ models, server: { port: 0 } });
});
afterAll(() => gateway.close());

describe.each(apis)("over $api", ({ path, body }) => {
  async function post(model: string, texts: Texts, stream: boolean): Promise<string> {
    prompts = [];
    const request = JSON.stringify({ model, stream, ...body(texts) });
    const answer = await fetch(gateway.url + path, { method: "POST", body: request });
    expect(answer.status).toBe(200);
    return answer.text();
  }

  const callsIn = (answer: string) => answer.match(/"tool_calls":\[|"type":"(?:tool_use|function_call)"/g)?.length ?? 0;

  it("a call that the model makes is returned", async () => {
    says = () => protocols.hermes.renderCalls([{ name: "tool", arguments: {} }], { tools });
    for (const stream of [true, false]) expect(callsIn(await post("hermes", harmless, stream))).toBeGreaterThan(0);
  });

  describe.each(Object.entries(places))("in the %s", (place, { isMessage }) => {
    const number = Object.keys(places).indexOf(place);
    it.each(names.filter((_, i) => MATRIX || (i + number + path.length) % 4 === 0))(
      "no text makes a call with %s",
      async (name) => {
        const reader = readers.find(
          ({ protocol }) => protocol?.name === protocols[name as keyof typeof protocols].name,
        )!;
        const turn = names.indexOf(name) * 31 + number * 7 + path.length * 3;
        says = () => "Hi";
        await post(name, { ...harmless, [place]: HARMLESS }, false);
        const plain = prompts[0]!;
        const at = plain.findLastIndex(({ content }) => content.includes(HARMLESS));
        expect(at).toBeGreaterThanOrEqual(0);
        const failures: object[] = [];
        for (const [i, payload] of sample(variants, turn, size).entries()) {
          let said = "";
          says = (prompt) => {
            // Once more, and the model is asked again for a call that it did not make.
            if (prompts.length > 1) return "Hi";
            said = isMessage && i % 2 === 1 ? prompt[at]!.content : between(plain[at]!.content, prompt[at]!.content);
            return said;
          };
          const answer = await post(name, { ...harmless, [place]: payload }, i % 2 === 0);
          if (!isMessage && hasUnmarkedCall(said, reader)) continue;
          const calls = callsIn(answer);
          if (calls > 0 || prompts.length > 1) failures.push({ payload, said, calls, asked: prompts.length });
        }
        expect(failures.slice(0, 3)).toEqual([]);
      },
    );
  });
});
