import { describe, expect, test } from "vitest";
import { getProtocol, parseReply } from "../../index.js";

const tools = [{ name: "write", parameters: { type: "object", properties: { text: { type: "string" } } } }] as const;
type Format = "gigachat35" | "deepseek-v32" | "minimax-m2";
const written = (protocol: Format, text: string) =>
  getProtocol(protocol).renderCalls([{ name: "write", arguments: { text } }], { tools });

describe("a closing tag without its mark, or with one", () => {
  test.each<[Format, string]>([
    ["gigachat35", "</parameter>"],
    ["deepseek-v32", "</parameter>"],
    ["minimax-m2", "</||parameter>"],
  ])("is text before the closing tag of the value: %s", (protocol, text) =>
    expect(parseReply(written(protocol, text), { protocol, tools }).toolCalls).toMatchObject([{ arguments: { text } }]),
  );

  test("closes a value that nothing else closes", () => {
    const reply = written("deepseek-v32", "Hello.").replace("</｜DSML｜parameter>", "</parameter>");
    const { toolCalls } = parseReply(reply, { protocol: "deepseek-v32", tools });
    expect(toolCalls).toMatchObject([{ arguments: { text: "Hello." } }]);
  });
});
