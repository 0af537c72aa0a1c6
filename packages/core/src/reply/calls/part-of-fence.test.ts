import { expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import type { ProtocolName } from "../../protocols/index.js";

const object = '{"name": "get_weather", "arguments": {"city": "Rome"}}';
const call = [["call", "get_weather"]];

test.each<[string, ProtocolName]>([
  [`<tool_call>json\n${object}\n</tool_call>`, "hermes"],
  [`<tool_call>\nJSON\n\n${object}\n\`\`\`\n</tool_call>`, "hermes"],
  [`<tool_call>\n${object}\n\`\`\`\n</tool_call>`, "hermes"],
  ['<|tool_call_begin|>get_weather<|tool_call_argument_begin|>json\n{"city": "Rome"}<|tool_call_end|>', "kimi-k2"],
])("a part of a code fence around a call's JSON is none of its text: %s", (reply, protocol) =>
  expect(pieces(reply, protocol)).toEqual(call),
);

test("a fence after a call that does not end there is text", () =>
  expect(pieces(`<tool_call>\n${object}\n\`\`\`\nHello`, "hermes")).toEqual([...call, ["text", "```\nHello"]]));

test("a tool may have the name of a language", () =>
  expect(pieces(`<tool_call>jso\n${object}</tool_call>`, "hermes")).toEqual([["invalid", "unknown-tool"]]));
