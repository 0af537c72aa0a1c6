import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { collectReply, createReplyParser } from "../../index.js";
import type { ProtocolName } from "../../protocols/index.js";

const granite = '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]';
const json = '{"name": "get_weather", "parameters": {"city": "Oslo"}}';

describe("the tokens before an answer", () => {
  test.each<[string, ProtocolName, string]>([
    ["<|assistant|>", "glm45", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call>"],
    ["<|start_of_role|>assistant<|end_of_role|>", "granite", granite],
    ["<|im_assistant|>assistant<|im_middle|>", "hermes", granite],
    ["<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>", "hermes", granite],
    ["<|header_start|>assistant<|header_end|>", "llama3-json", json],
    ["<｜Assistant｜>", "llama3-json", json],
  ])("%s are dropped at the beginning, in %s", (tokens, protocol, call) => {
    for (const by of protocol === "llama3-json" ? [protocol] : ([protocol, "auto"] as const)) {
      const calls = pieces(`${tokens}\n${call}`, by);
      expect(calls.filter(([kind]) => kind !== "dropped")).toEqual([["call", "get_weather"]]);
      expect(pieces(`${tokens}It is warm.`, by).filter(([kind]) => kind !== "dropped")).toEqual([
        ["text", "It is warm."],
      ]);
    }
  });

  test("that end a turn are dropped one after the other", () => {
    for (const between of ["", "\n"])
      expect(pieces(`Warm.<|im_end|>${between}<|endoftext|>`, "hermes").filter(([kind]) => kind === "text")).toEqual([
        ["text", "Warm."],
      ]);
    for (const text of ["A turn ends with <|im_end|>, as <|endoftext|> does.", "It is <|im_end|><|endoftext|> or so."])
      expect(pieces(text, "hermes")).toEqual([["text", text]]);
  });

  test.each(["[/INST]", " [/INST]", "<|assistant|>", "<|/tool_call|>", "\n<|tool_call_end|>"])(
    "of another turn or of calls are dropped where the answer ends: %s",
    (token) => {
      for (const protocol of ["auto", "hermes", "kimi-k2"] as const)
        for (const end of ["", "\n", "<|im_end|>"]) {
          const found = pieces(`It is warm.${token}${end}`, protocol);
          expect(found.filter(([kind]) => kind !== "dropped")).toEqual([["text", "It is warm."]]);
        }
      const text = `The token ${token.trim()} is one of them, as ${token.trim()}.`;
      expect(pieces(text, "auto")).toEqual([["text", text]]);
    },
  );

  test.each(["[/INST]", "<|assistant|>", "<|/tool_call|>"])(
    "that an answer shows at its end stay text: %s",
    (token) => {
      for (const shown of [
        `The token is: ${token}`,
        `These are both:\n\n- <s>\n- ${token}`,
        `1. ${token}`,
        `The prompt is\n\n    [INST] hello ${token}`,
        `It is [INST] ${token}`,
        `const END =\n  ${token}`,
        `const END =${token}`,
        `The marks of a list:\n\n  - ${token}`,
      ])
        for (const protocol of ["auto", "hermes"] as const) expect(pieces(shown, protocol)).toEqual([["text", shown]]);
    },
  );

  test.each(["[/INST]", "<|assistant|>", "<|/tool_call|>"])(
    "that are apart from its last sentence are dropped, also after an indented item: %s",
    (token) => {
      for (const text of [
        "It is warm!",
        "Paris",
        "Cities:\n- Oslo\n  - Bodo.",
        "Cities:\n  1. Oslo",
        "Code:\n\n    x = 1\n",
      ])
        for (const space of text.endsWith("\n") ? ["\n"] : ["", " ", "\n"])
          for (const protocol of ["auto", "hermes"] as const)
            expect(pieces(text + space + token, protocol).filter(([kind]) => kind === "text")).toEqual([
              ["text", text.trimEnd()],
            ]);
    },
  );

  test.each<[ProtocolName, string]>([
    ["gemma4", "<eos>"],
    ["hunyuan-a13b", "</answer>"],
    ["hunyuan-a13b", "<|eos|>"],
    ["nemotron-v2", "<SPECIAL_12>"],
    ["longcat", "</longcat_s>"],
    ["kimi-k2", "[EOS]"],
    ["apertus", "<|assistant_end|>"],
    ["gigachat3", "<|role_sep|>"],
  ])("of %s include %s", (protocol, token) => {
    for (const space of ["", "\n"]) {
      expect(pieces(`Warm.${space}${token}`, protocol).filter(([kind]) => kind !== "dropped")).toEqual([
        ["text", "Warm."],
      ]);
      expect(pieces(`${granite}${space}${token}`, protocol)).toEqual([
        ["call", "get_weather"],
        ["dropped", token],
      ]);
    }
  });

  test("of an answer in tags are those of its format only", () => {
    expect(pieces("<answer>\nWarm.\n</answer>", "hunyuan-a13b").filter(([kind]) => kind === "text")).toEqual([
      ["text", "Warm."],
    ]);
    expect(pieces("<answer>Warm.</answer>", "hermes")).toEqual([["text", "<answer>Warm.</answer>"]]);
  });

  test.each<[ProtocolName, string]>([
    ["hunyuan-a13b", "The <answer> tag begins an answer, and </answer> ends it."],
    ["mistral", "Calls end with [/TOOL_CALLS] in some builds."],
    ["longcat", "A reply ends with </longcat_s> here."],
  ])("stay text in a sentence of %s: %s", (protocol, text) => {
    for (const by of [protocol, "auto"] as const) expect(pieces(text, by)).toEqual([["text", text]]);
  });

  test("before calls are text in any number, in linear time", () => {
    for (const tag of ["<answer>", "<functions> ", "<tools><answer>\n"]) {
      // Work that is quadratic in the tags would take longer than the time limit of a test.
      const text = `Hi ${tag.repeat(400_000 / tag.length)}`;
      for (const size of [1000, text.length]) {
        const parser = createReplyParser({ protocol: "hermes", tools: [{ name: "get_weather" }] });
        const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
          text.slice(i * size, (i + 1) * size),
        );
        const reply = collectReply([...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]);
        expect(reply.text.trimEnd() === text.trimEnd()).toBe(true);
      }
    }
  });

  test("are dropped in any number", () => {
    const reply = `Warm.${"<|im_end|>".repeat(20_000)}`;
    for (const size of [reply.length, 997]) {
      const parser = createReplyParser({ tools: [], protocol: "hermes" });
      const events = [];
      for (let at = 0; at < reply.length; at += size) events.push(...parser.push(reply.slice(at, at + size)));
      expect(collectReply([...events, ...parser.end()]).text).toBe("Warm.");
    }
  });

  test("are text after words", () => {
    const reply = "The prompt ends with <|assistant|> or <|start_of_role|>assistant<|end_of_role|>, which is normal.";
    expect(pieces(reply, "glm45")).toEqual([["text", reply]]);
  });
});
