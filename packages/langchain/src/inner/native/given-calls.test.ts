import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";
import { describe, expect, it } from "vitest";
import { GivenCalls, withSoundCalls } from "./given-calls.js";

const piece = (fields: object, finish?: string) =>
  new AIMessageChunk({
    content: "",
    tool_call_chunks: [{ type: "tool_call_chunk", ...fields }],
    ...(finish && { response_metadata: { finish_reason: finish } }),
  });
const given = (...pieces: AIMessageChunk[]) => pieces.reduce((calls, one) => calls.add(one), new GivenCalls());

describe("the calls of a message", () => {
  it("are those with complete arguments, in any chunks", () => {
    const { tool_calls, invalid_tool_calls } = given(
      piece({ index: 0, id: "a", name: "add", args: '{"n"' }),
      piece({ index: 1, id: "b", name: "sub", args: '{"n": 2' }),
      piece({ index: 0, args: ": 1}" }),
    ).calls();
    expect(tool_calls).toMatchObject([{ id: "a", name: "add", args: { n: 1 } }]);
    expect(invalid_tool_calls).toMatchObject([{ id: "b", name: "sub", args: '{"n": 2' }]);
  });

  it("stay two if a server gives both the same index", () => {
    const two = given(
      piece({ index: 0, id: "a", name: "add", args: '{"n":1}' }),
      piece({ index: 0, id: "b", name: "add", args: '{"n":2}' }),
    );
    expect(two.calls().tool_calls).toMatchObject([{ id: "a" }, { id: "b" }]);
  });

  it.each([
    ["by index", { index: 0, id: "a" }],
    ["by id", { id: "a" }],
  ])("that broke off end in chunks that LangChain does not take for a call: %s", (_, place) => {
    const first = piece({ ...place, name: "add", args: '{"path": "/home/us' });
    expect(first.tool_calls).toHaveLength(1);
    const ending = new AIMessageChunk({ content: "", tool_call_chunks: given(first).endings() });
    const whole = concat(first, ending);
    expect(whole.tool_calls).toEqual([]);
    expect(whole.invalid_tool_calls).toMatchObject([{ id: "a", name: "add" }]);
  });

  it("exclude the last one at the token limit if nothing shows that it is complete", () => {
    const calls = ["a", "b"].map((id) => ({ type: "tool_call", id, name: "add", args: {} }) as const);
    const message = new AIMessage({ content: "", tool_calls: calls, response_metadata: { stop_reason: "max_tokens" } });
    expect(withSoundCalls(message)).toMatchObject({ tool_calls: [{ id: "a" }], invalid_tool_calls: [{ id: "b" }] });
    const sound = new AIMessage({ content: "", tool_calls: calls });
    expect(withSoundCalls(sound)).toBe(sound);
  });
});
