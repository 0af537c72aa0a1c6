import { describe, expect, test } from "vitest";
import { argumentsOf, hermes, read } from "../../../test/support/read.js";

const call = hermes('{"name": "now"}');

describe("what is left of a chat template's tokens", () => {
  test("a token that ends the turn is no text, save in the middle", () => {
    for (const token of ["</s>", "<|im_end|>", "<|endoftext|>\n", "<｜end▁of▁sentence｜>"]) {
      expect(read(`Hello.${token}`).text).toBe("Hello.");
      expect(read(`Hello.\n${call}${token}`)).toMatchObject({ text: "Hello.", toolCalls: [{ name: "now" }] });
      expect(read(`a ${token} b`).text).toBe(`a ${token} b`);
    }
  });

  test("the end of reasoning that the prompt had opened is not text; after an answer it is", () => {
    expect(read("</think>\n\nHello.").text.trim()).toBe("Hello.");
    expect(read("The tag </think> closes it.").text).toBe("The tag </think> closes it.");
    expect(read("Yes.<|channel>thought\nHm.<channel|><channel|>")).toMatchObject({ text: "Yes.", reasoning: "\nHm." });
  });

  test("before any call there are no results, so their marks are left out and their text is kept", () => {
    expect(read("<response>\nHello.\n</response>", { protocol: "ernie" }).text.trim()).toBe("Hello.");
    expect(read(`${call}<tool_response>12:00</tool_response>Noon.`).text).toBe("Noon.");
  });

  test("reasoning up to the mark before the answer", () => {
    const prefill = "Here are my reasoning steps:\n";
    const reply = "Hm.\n[BEGIN FINAL RESPONSE]\nYes.\n[END FINAL RESPONSE]";
    expect(read(reply, { protocol: "apriel", prefill })).toMatchObject({ reasoning: "Hm.\n", text: "Yes." });
  });
});

describe("where a call ends that lacks a mark", () => {
  test("after its closing brace the answer may continue", () => {
    const reply = read('[TOOL_CALLS]get_weather{"city": "Rome"}Let me see.', { protocol: "mistral" });
    expect(reply).toMatchObject({ text: "Let me see.", toolCalls: [{ arguments: { city: "Rome" } }] });
  });

  test("a broken call takes its body with it", () => {
    const reply = read('[TOOL_CALLS][ARGS]{"city": "Rome"}[TOOL_CALLS]now[ARGS]{}', { protocol: "mistral" });
    expect(reply).toMatchObject({ text: "", toolCalls: [{ name: "now" }], invalidToolCalls: [{}] });
  });

  test("a name may lack the end of its tag", () => {
    const coder = { protocol: "qwen3-coder" as const };
    expect(argumentsOf("<tool_call>\n<function=now\n</function>\n</tool_call>", coder)).toEqual([{}]);
    const reply =
      "<tool_call>\n<function=get_weather \n<parameter=city>\nRome\n</parameter>\n</function>\n</tool_call>";
    expect(argumentsOf(reply, coder)).toEqual([{ city: "Rome" }]);
    expect(read(reply, coder).toolCalls[0]?.repairs).toEqual([{ code: "missing-bracket" }]);
    expect(argumentsOf("<function=now\n>\n</function>", coder)).toEqual([{}]);
  });

  test("a string in marks may lack the last one, where the reply ends", () => {
    const gemma = { protocol: "gemma4" as const };
    const open = '<|tool_call>call:write_file{path:<|"|>a<|"|>,content:<|"|>';
    expect(argumentsOf(`${open}if (x) {y}}<tool_call|>`, gemma)).toEqual([{ path: "a", content: "if (x) {y}" }]);
    const inside = "b}<tool_call|> c";
    expect(argumentsOf(`${open}${inside}<|"|>}<tool_call|>`, gemma)).toEqual([{ path: "a", content: inside }]);
    expect(read(`${open}b`, gemma).invalidToolCalls).toMatchObject([{ error: { code: "truncated" } }]);
  });

  test("Python keeps a backslash that escapes nothing", () => {
    const pythonic = { protocol: "pythonic" as const };
    expect(argumentsOf(String.raw`[write_file(path='a\,b', content="it\'s \d \n")]`, pythonic)).toEqual([
      { path: String.raw`a\,b`, content: `it's \\d \n` },
    ]);
  });
});
