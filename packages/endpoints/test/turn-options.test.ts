import { generateWithTools, type TextModelRequest } from "@toolingua/core";
import { backends } from "@toolingua/core/adapters";
import { describe, expect, test } from "vitest";
import { turnOptionsFor } from "../src/index.js";

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
