import { describe, expect, test } from "vitest";
import { argumentsOf, hermes, read } from "../../../test/support/read.js";
import { type ProtocolName, protocols } from "../../protocols/index.js";

const call = hermes('{"name": "now"}');

describe("the remains of a chat template's tokens", () => {
  test("a token that ends the turn is dropped, except in the middle of text", () => {
    for (const token of ["</s>", "<|im_end|>", "<|endoftext|>\n", "<｜end▁of▁sentence｜>"]) {
      expect(read(`Hello.${token}`).text).toBe("Hello.");
      expect(read(`Hello.\n${call}${token}`)).toMatchObject({ text: "Hello.", toolCalls: [{ name: "now" }] });
      expect(read(`a ${token} b`).text).toBe(`a ${token} b`);
    }
  });

  test("the end of reasoning that the prompt opened is dropped; after an answer it is text", () => {
    expect(read("</think>\n\nHello.").text.trim()).toBe("Hello.");
    expect(read("The tag </think> closes it.").text).toBe("The tag </think> closes it.");
    expect(read("Yes.<|channel>thought\nHm.<channel|><channel|>")).toMatchObject({ text: "Yes.", reasoning: "\nHm." });
  });

  test("result markers before any call are dropped, and their text is kept", () => {
    expect(read("<response>\nHello.\n</response>", { protocol: "ernie" }).text.trim()).toBe("Hello.");
    expect(read(`${call}<tool_response>12:00</tool_response>Noon.`).text).toBe("Noon.");
    for (const { name, syntax } of Object.values(protocols))
      for (const { as, open, close } of syntax.spans ?? [])
        if (as === "dropped" && /^<[\w:｜|▁]+>$/.test(open) && close !== undefined)
          expect([name, read(`It is ${open}cold${close} in Oslo.`, { protocol: name as ProtocolName }).text]).toEqual([
            name,
            "It is cold in Oslo.",
          ]);
    const [open, close] = ["<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>"];
    const deepseek = (text: string) => read(text, { protocol: "deepseek-v3" }).text;
    expect(deepseek(`It is ${open}cold${close} in Oslo. A ${close} ends it.`)).toBe(
      `It is cold in Oslo. A ${close} ends it.`,
    );
    expect(deepseek(`A ${open} begins a result and ${close} ends it.`)).toBe(
      `A ${open} begins a result and ${close} ends it.`,
    );
  });

  test("text before the answer's marker is reasoning", () => {
    const prefill = "Here are my reasoning steps:\n";
    const reply = "Hm.\n[BEGIN FINAL RESPONSE]\nYes.\n[END FINAL RESPONSE]";
    expect(read(reply, { protocol: "apriel", prefill })).toMatchObject({ reasoning: "Hm.\n", text: "Yes." });
  });
});

test("a semicolon after the JSON of a call, as in JavaScript, is no part of it", () => {
  for (const end of [";", ";\n", " ;"]) {
    expect(read(`<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}${end}</tool_call>`)).toMatchObject({
      toolCalls: [{ name: "get_weather", arguments: { city: "Rome" } }],
      invalidToolCalls: [],
      text: "",
    });
  }
});

describe("a call without its closing marker", () => {
  test("ends at its closing brace if the answer continues", () => {
    const reply = read('[TOOL_CALLS]get_weather{"city": "Rome"}Let me see.', { protocol: "mistral" });
    expect(reply).toMatchObject({ text: "Let me see.", toolCalls: [{ arguments: { city: "Rome" } }] });
  });

  test("that is broken includes its body", () => {
    const reply = read('[TOOL_CALLS][ARGS]{"city": "Rome"}[TOOL_CALLS]now[ARGS]{}', { protocol: "mistral" });
    expect(reply).toMatchObject({ text: "", toolCalls: [{ name: "now" }], invalidToolCalls: [{}] });
  });

  test("may lack the end of the tag with its name", () => {
    const coder = { protocol: "qwen3-coder" as const };
    expect(argumentsOf("<tool_call>\n<function=now\n</function>\n</tool_call>", coder)).toEqual([{}]);
    const reply =
      "<tool_call>\n<function=get_weather \n<parameter=city>\nRome\n</parameter>\n</function>\n</tool_call>";
    expect(argumentsOf(reply, coder)).toEqual([{ city: "Rome" }]);
    expect(read(reply, coder).toolCalls[0]?.repairs).toEqual([{ code: "missing-bracket" }]);
    expect(argumentsOf("<function=now\n>\n</function>", coder)).toEqual([{}]);
  });

  test("may lack the closing mark of a string at the end of the reply", () => {
    const gemma = { protocol: "gemma4" as const };
    const open = '<|tool_call>call:write_file{path:<|"|>a<|"|>,content:<|"|>';
    expect(argumentsOf(`${open}if (x) {y}}<tool_call|>`, gemma)).toEqual([{ path: "a", content: "if (x) {y}" }]);
    const inside = "b}<tool_call|> c";
    expect(argumentsOf(`${open}${inside}<|"|>}<tool_call|>`, gemma)).toEqual([{ path: "a", content: inside }]);
    expect(read(`${open}b`, gemma).invalidToolCalls).toMatchObject([{ error: { code: "truncated" } }]);
  });

  test("a backslash that escapes nothing is kept in Python", () => {
    const pythonic = { protocol: "pythonic" as const };
    expect(argumentsOf(String.raw`[write_file(path='a\,b', content="it\'s \d \n")]`, pythonic)).toEqual([
      { path: String.raw`a\,b`, content: `it's \\d \n` },
    ]);
  });
});
