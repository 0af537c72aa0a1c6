import { describe, expect, it } from "vitest";
import { add, call, scripted, turnOf } from "../../test/support/scripted-turn.js";
import { ToolConversation } from "../conversation/index.js";
import { constraintFields, matchGrammar } from "../grammar/index.js";
import type { TextModelRequest } from "../types.js";
import type { GenerateOptions } from "./generate-options.js";
import { generateWithTools } from "./generate-with-tools.js";

describe("a constraint", () => {
  it("may be stricter: the order of keys, shorter texts", async () => {
    const asked = async (grammar: GenerateOptions["grammar"], constraint: "required" | "fallback") => {
      const { model, requests } = scripted("Hm.", "Hm.");
      const turn = turnOf(model, { toolChoice: "required", constraint, grammar });
      await turn.result().catch(() => undefined);
      return requests.findLast((request) => request.constraint)?.constraint?.grammar;
    };
    for (const constraint of ["required", "fallback"] as const) {
      const [any, ordered] = [await asked(undefined, constraint), await asked({ maxUnordered: 0 }, constraint)];
      expect(ordered).toContain("root ::=");
      expect(ordered?.length).toBeLessThan(any?.length ?? 0);
    }
  });

  it("reaches a server as fields of its request, for optional and required calls", async () => {
    const { model, requests } = scripted(call({ a: 2, b: 3 }), call({ a: 2, b: 3 }));
    const constrained = { constraint: "auto", backend: "llama.cpp" } as const;
    await turnOf(model, constrained).result();
    const grammar = String(requests[0]?.fields?.grammar);
    const admits = (text: string) => matchGrammar(grammar, text).matches;
    expect([admits("It is noon."), admits(call({ a: 2, b: 3 })), admits(call({ a: "two" }))]).toEqual([
      true,
      true,
      false,
    ]);
    await turnOf(model, { ...constrained, toolChoice: "required" }).result();
    expect(Object.keys(requests[1]?.fields ?? {})).toEqual(["grammar"]);
    expect(requests[1]?.prefill).toBeUndefined();
    expect(requests.map(({ constraint }) => constraint)).toEqual([undefined, undefined]);
  });

  it.each(["llama.cpp", "vllm", "sglang"] as const)(
    "reaches %s as the fields that an endpoint sends",
    async (backend) => {
      const sent = async (target: GenerateOptions["backend"], choice: GenerateOptions["toolChoice"]) => {
        const { model, requests } = scripted(call({ a: 2, b: 3 }));
        await turnOf(model, { constraint: "auto", backend: target, toolChoice: choice }).result();
        return requests[0];
      };
      for (const choice of ["auto", "required"] as const) {
        const { constraint } = (await sent("gbnf", choice)) ?? {};
        const fields = constraint && constraintFields(backend, constraint);
        expect(fields).toBeDefined();
        expect((await sent(backend, choice))?.fields).toEqual(fields);
      }
    },
  );

  it("is that of the model's abilities, unless the option of the turn says otherwise, also in a conversation", async () => {
    const messages = [{ role: "user" as const, content: "2 + 3?" }];
    const turn = {
      messages,
      tools: [add],
      protocol: "json-action",
      constraint: "auto",
      toolChoice: "required",
    } as const;
    const kinds = ({ constraint, fields, prefill }: TextModelRequest) => [
      constraint?.type ?? Object.keys(fields ?? {})[0],
      prefill !== undefined,
    ];
    for (const [abilities, options, expected] of [
      [undefined, {}, ["gbnf", false]],
      [{ backend: "openai" }, {}, ["response_format", false]],
      [{ backend: "openai" }, { backend: "gbnf" }, ["gbnf", false]],
      [{ backend: "openai" }, { backend: undefined }, ["response_format", false]],
      [{ prefill: false }, { constraint: "off" }, [undefined, false]],
      [{ prefill: false }, { constraint: "off", prefill: true }, [undefined, true]],
      [{ prefill: true }, { constraint: "off" }, [undefined, true]],
    ] as const) {
      const { model, requests } = scripted('{"action": "add", "action_input": {"a": 2, "b": 3}}', "5");
      const able = Object.assign(model, { abilities });
      await generateWithTools({ ...turn, ...options, model: able }).result();
      const { messages: _, ...ofConversation } = { ...turn, ...options };
      const execute = () => 5;
      const conversation = new ToolConversation({
        ...ofConversation,
        ...{ tools: [{ ...add, execute }], model: able, budget: { tokens: 100_000 } },
      });
      requests.length = 0;
      await conversation.run("2 + 3?");
      expect({ abilities, options, seen: kinds(requests[0]!) }).toEqual({ abilities, options, seen: expected });
    }
  });

  it("is absent if the format has none, and an error only if it is required and a call is required", async () => {
    const { model, requests } = scripted(call({ a: 2, b: 3 }), call({ a: 2, b: 3 }));
    const constrained = { constraint: "required", backend: "ollama" } as const;
    await turnOf(model, constrained).result();
    await turnOf(model, { constraint: "auto", backend: "ollama", toolChoice: "required" }).result();
    expect(requests.map(({ fields }) => fields)).toEqual([undefined, undefined]);
    const failing = turnOf(model, { ...constrained, toolChoice: "required" }).result();
    await expect(failing).rejects.toMatchObject({ code: "unsupported" });
    expect(requests).toHaveLength(2);
  });

  it("has a place for the answer in a format that is JSON as a whole", async () => {
    const { model, requests } = scripted('{"final_answer": {"content": "5"}}');
    const constrained = { constraint: "auto", backend: "ollama", protocol: "json-action" } as const;
    await turnOf(model, constrained).result();
    expect(requests[0]?.fields).toMatchObject({ format: { anyOf: [{}, {}] } });
  });

  it("as a fallback constrains only the retry, to a call if one was tried", async () => {
    const { model, requests } = scripted(call({ a: 2 }), call({ a: 2, b: 3 }));
    const constrained = { constraint: "fallback", onInvalidCall: "retry" } as const;
    const { toolCalls } = await turnOf(model, constrained).result();
    expect(toolCalls).toMatchObject([{ arguments: { a: 2, b: 3 } }]);
    expect(requests[0]).not.toHaveProperty("constraint");
    expect(requests[1]?.constraint).toEqual({ type: "gbnf", grammar: expect.stringContaining("root ::=") });
    const other = scripted(call({ a: 2, b: 3 }, "sub"), "Five.");
    await turnOf(other.model, constrained).result();
    expect(other.requests[1]?.constraint?.triggers).toEqual([{ type: "word", value: "<tool_call>" }]);
  });
});
