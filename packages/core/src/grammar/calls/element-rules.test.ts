import { describe, expect, it } from "vitest";
import { matcher } from "../../../test/support/gbnf-oracle.js";
import { getProtocol, type ProtocolName } from "../../protocols/index.js";
import type { ToolDefinition } from "../../types.js";
import { toolCallGrammar } from "../index.js";

const parameters = {
  type: "object",
  properties: { way: { type: "string" } },
  required: ["way"],
  additionalProperties: false,
};
const tools: ToolDefinition[] = [{ name: "f", parameters }];
const matcherOf = (protocol: ProtocolName) =>
  matcher(toolCallGrammar({ tools, protocol, toolChoice: "required" }).grammar);

describe("the grammar of a text in an element", () => {
  it.each(["glm45", "iquest-coder", "hunyuan-v4", "qwen3-coder", "seed-oss", "minimax-m2", "step3"] as const)(
    "admits none in %s that begins with the tag before it, which would be read as doubled",
    async (protocol) => {
      const call = getProtocol(protocol).renderCalls([{ name: "f", arguments: { way: "left" } }], { tools });
      const [before = "", after = ""] = call.split("left");
      const tag = before.slice(before.lastIndexOf("<")).trim();
      const matches = await matcherOf(protocol);
      const ways = ["left", `to ${tag}left`, tag, `${tag}left`, ` \n ${tag}left`, `\v${tag}left`];
      expect(ways.map((way) => matches(before + way + after))).toEqual([true, true, false, false, false, false]);
    },
  );

  it("admits one in glm45 that begins like another argument", async () => {
    const call = "<tool_call>f\n<arg_key>way</arg_key>\n<arg_value><arg_key> left</arg_value>\n</tool_call>";
    expect((await matcherOf("glm45"))(call)).toBe(true);
  });
});
