import { expect, test } from "vitest";
import { tools } from "../../../test/support/read.js";
import { type ProtocolName, parseReply } from "../../index.js";

test.each<[ProtocolName, string, string]>([
  ["hermes", "<tool_call>\n!now()\n</tool_call>", "expected a JSON object, found"],
  ["xml", "<tool_call>\n!now()\n</tool_call>", "expected <name>, found"],
  ["qwen3-coder", "<tool_call>\n!now()\n</tool_call>", "expected <function=, found"],
  ["glm45", "<tool_call>\n!now()\n</tool_call>", "expected the tool's name, found"],
  ["mistral", "[TOOL_CALLS]!!", "expected the tool's name, found"],
  ["pythonic", "<tool_call>\n!now()\n</tool_call>", "expected a JSON object or the tool's name, found"],
  ["kimi-k2", "<|tool_calls_section_begin|>now", "expected <|tool_call_begin|>, found"],
])("the feedback on a broken call names only what %s expects", (protocol, reply, said) => {
  const [call] = parseReply(reply, { protocol, tools }).invalidToolCalls;
  expect(call?.error.message).toContain(said);
  expect(call?.error.feedback).toContain(said);
});
