import { describe, expect, test } from "vitest";
import {
  defineProtocol,
  generateWithTools,
  getProtocol,
  type Protocol,
  parseReply,
  protocols,
  renderPrompt,
} from "./index.js";
import { parseReply as readWith } from "./reply/index.js";

describe("a protocol", () => {
  test("is auto only where a reply is read; elsewhere the error says what to give", async () => {
    const protocol = "auto" as never;
    const messages = [{ role: "user" as const, content: "Hi" }];
    expect(parseReply("Hi", { protocol }).text).toBe("Hi");
    const said = /only reading a reply takes it.*Leave `protocol` out.*protocolForModel\(id\)/;
    const error = expect.objectContaining({ code: "unknown-protocol", message: expect.stringMatching(said) });
    expect(() => getProtocol(protocol)).toThrow(error);
    expect(() => renderPrompt({ protocol, messages })).toThrow(error);
    await expect(generateWithTools({ protocol, messages, model: async function* () {} }).result()).rejects.toThrow(
      error,
    );
  });

  test("is a name or an object", () => {
    const own = defineProtocol({ ...protocols.hermes, name: "own" });
    expect([getProtocol("hermes"), getProtocol(own)]).toEqual([protocols.hermes, own]);
  });

  test.each([
    ["herms", 'There is no protocol "herms". Did you mean "hermes"?'],
    ["glm", 'Did you mean "glm4" or "glm45"?'],
    ["solar", 'Did you mean "solar-open" or "solar-open2"?'],
    ["qwen2.5:7b", 'There is no protocol "qwen2.5:7b". `protocolForModel` has that of a model; `protocols` all.'],
    [{}, "not an object."],
    [{ name: "own", syntax: {} }, "not an object."],
    [[], "not a list."],
    [5, "not 5."],
    [() => protocols.hermes, "not a function."],
  ])("cannot be %j, wherever it is given", (given, said) => {
    const protocol = given as Protocol;
    const messages = [{ role: "user" as const, content: "Hi" }];
    for (const door of [
      () => getProtocol(protocol),
      () => parseReply("Hi", { protocol }),
      () => readWith("Hi", { protocol, registry: protocols }),
      () => renderPrompt({ protocol, messages }),
    ])
      expect(door).toThrow(
        expect.objectContaining({ code: "unknown-protocol", message: expect.stringContaining(said) }),
      );
  });
});
