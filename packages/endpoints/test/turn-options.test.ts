import { generateWithTools, type TextModelRequest } from "@toolingua/core";
import { backends } from "@toolingua/core/adapters";
import { describe, expect, test } from "vitest";
import { chatEndpoint, completionEndpoint, turnOptionsFor } from "../src/index.js";

const tools = [{ name: "now", parameters: { type: "object", properties: {} } }];

/** What a turn with these options asks of a model. */
async function requestWith(options: ReturnType<typeof turnOptionsFor>) {
  let seen: TextModelRequest | undefined;
  const model = async function* (request: TextModelRequest) {
    seen = request;
    yield '{"action": "now", "action_input": {}}';
  };
  const messages = [{ role: "user" as const, content: "What time is it?" }];
  const turn = { model, messages, tools, protocol: "json-action", toolChoice: "required", ...options } as const;
  await generateWithTools({ ...turn, constraint: "auto", maxInvalidCallRetries: 0, onMissingCall: "surface" }).result();
  return seen!;
}

describe("the abilities of a model", () => {
  const place = { baseURL: "http://127.0.0.1:9/v1", model: "m" };

  test.each([undefined, ...backends])("are what a turn needs for the server: %s", async (backend) => {
    expect(chatEndpoint({ ...place, backend }).abilities).toEqual(turnOptionsFor(backend));
    if (backend === "ollama") return;
    const completion = completionEndpoint({ ...place, model: "qwen2.5:7b", backend });
    expect(completion.abilities).toEqual({ ...turnOptionsFor(backend), prefill: true });
  });

  test("follow the option `prefill` of the endpoint", () => {
    expect(chatEndpoint({ ...place, backend: "vllm", prefill: false }).abilities?.prefill).toBe(false);
    expect(chatEndpoint({ ...place, prefill: true }).abilities?.prefill).toBe(true);
  });

  test("reach the server with no option of the turn, as its own field and never as a prefill that it ignores", async () => {
    const bodies: Record<string, unknown>[] = [];
    const fetch = async (_: unknown, init?: RequestInit) => {
      bodies.push(JSON.parse(String(init?.body)));
      const content = '{"action": "now", "action_input": {}}';
      return Response.json({ choices: [{ message: { content }, finish_reason: "stop" }] });
    };
    const messages = [{ role: "user" as const, content: "What time is it?" }];
    const turn = { messages, tools, protocol: "json-action", toolChoice: "required" } as const;
    for (const constraint of ["auto", "off"] as const) {
      const model = chatEndpoint({ ...place, backend: "openai", fetch });
      await generateWithTools({ ...turn, model, constraint }).result();
    }
    expect(bodies.map(({ response_format }) => response_format !== undefined)).toEqual([true, false]);
    expect(bodies.map((body) => (body.messages as { role: string }[]).at(-1)?.role)).toEqual(["user", "user"]);
  });
});

describe("the options of a turn", () => {
  test.each(["llama.cpp", "vllm", "sglang"] as const)("give %s a grammar and a prefill", async (backend) => {
    expect(turnOptionsFor(backend)).toEqual({ backend: "gbnf", prefill: true });
    expect(await requestWith(turnOptionsFor(backend))).toMatchObject({ constraint: { type: "gbnf" } });
  });

  test.each(["ollama", "openai"] as const)("give %s a JSON Schema", async (backend) => {
    expect(turnOptionsFor(backend)).toEqual({ backend: "openai", prefill: backend === "ollama" });
    const { constraint, fields } = await requestWith(turnOptionsFor(backend));
    expect([constraint, Object.keys(fields ?? {})]).toEqual([undefined, ["response_format"]]);
  });

  test("give a server of an unknown kind no prefill, and leave the constraint as it is", () => {
    expect({ backend: "openai", ...turnOptionsFor(undefined) }).toEqual({ backend: "openai", prefill: false });
  });

  test("are refused for a name that is no kind of server", () => {
    expect(() => turnOptionsFor("lama.cpp" as never)).toThrow(
      /`backend` is .*, not "lama\.cpp"\. Did you mean "llama\.cpp"\?/,
    );
  });

  test("are known for every kind of server", () => {
    expect(backends.filter((backend) => turnOptionsFor(backend).prefill)).toHaveLength(4);
  });
});
