import { describe, expect, test } from "vitest";
import { readings } from "../../test/support/readings.js";
import type { ProtocolName } from "./index.js";

const json = '{"depot": "north", "boxes": 4}';
const wanted = [["ship.order", { depot: "north", boxes: 4 }]];
const fenced = "```\n";

describe("calls are read with other spellings of their markers", () => {
  test.each<[string, ProtocolName, string]>([
    [
      "a fence without a language",
      "deepseek-v3",
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>ship.order\n${fenced}${json}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ],
    [
      "bars and underscores in ASCII",
      "deepseek-v3",
      `<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>ship.order\n\`\`\`json\n${json}\n\`\`\`\n<|tool_call_end|><|tool_calls_end|>`,
    ],
    [
      "bars in ASCII",
      "deepseek-v31",
      `<|tool▁calls▁begin|><|tool▁call▁begin|>ship.order<|tool▁sep|>${json}<|tool▁call▁end|><|tool▁calls▁end|>`,
    ],
    [
      "a name alone",
      "kimi-k2",
      `<|tool_calls_section_begin|><|tool_call_begin|>ship.order<|tool_call_argument_begin|>${json}<|tool_call_end|><|tool_calls_section_end|>`,
    ],
    ["arguments inside the tag", "llama3-json", `<function=ship.order${json}></function>`],
    ["arguments inside an unclosed tag", "llama3-json", `<function=ship.order${json}</function>`],
    [
      "a whole turn",
      "llama3-json",
      `<|start_header_id|>assistant<|end_header_id|>\n\n{"name": "ship.order", "parameters": ${json}}<|eot_id|>`,
    ],
  ])("%s: %s", (_, protocol, reply) => {
    for (const by of [protocol, "auto", "hermes"] as const) expect(readings(reply, by)).toEqual(wanted);
  });
});
