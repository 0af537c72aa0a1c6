import { describe, expect, it } from "vitest";
import { reply, stream } from "../../endpoints/test/support/scripted-server.js";
import { gatewayBefore, promptOf } from "./support/gateway.js";

const ask = async (item: unknown) => {
  const { post, upstream } = await gatewayBefore([stream(reply("Hi"))]);
  const input = [{ role: "user", content: "Hello" }, item];
  const answer = await post("/v1/responses", { model: "m", input });
  const { error } = (await answer.json()) as { error: { message: string; param: string } };
  return { status: answer.status, error, upstream };
};

describe("an item of the input", () => {
  it.each([
    [
      { type: "functon_call_output", call_id: "c", output: "sun" },
      "input[1].type",
      'Did you mean "function_call_output"?',
    ],
    [
      { type: "functionCallOutput", call_id: "c", output: "sun" },
      "input[1].type",
      'Did you mean "function_call_output"?',
    ],
    [{ type: "web_serch_call" }, "input[1].type", 'Did you mean "web_search_call"?'],
    [{ type: "tool_result", content: "sun" }, "input[1].type", "function_call_output"],
    [{ type: 5 }, "input[1].type", "must be the type of an item, not 5."],
    [{ type: "item_reference", id: "msg_1" }, "input[1]", "send them whole"],
    [{ type: "local_shell_call_output", id: "c", output: "sun" }, "input[1]", '"local_shell_call_output"'],
    [{ type: "shell_call_output", call_id: "c", output: [] }, "input[1]", '"shell_call_output"'],
    [{ type: "apply_patch_call_output", call_id: "c", status: "completed" }, "input[1]", '"apply_patch_call_output"'],
    [{ type: "computer_call_output", call_id: "c", output: {} }, "input[1]", '"computer_call_output"'],
    [{ type: "mcp_call", id: "m", name: "n", arguments: "{}", output: "sun" }, "input[1]", '"mcp_call"'],
    [{ type: "mcp_call", id: "m", name: "n", arguments: "{}", error: "no sun" }, "input[1]", '"mcp_call"'],
    [{ type: "file_search_call", queries: ["sun"], results: [{ text: "sun" }] }, "input[1]", '"file_search_call"'],
    [{ type: "mcp_approval_response", approve: true }, "input[1]", '"mcp_approval_response"'],
  ])("that the model must read, and cannot, is refused: %j", async (item, param, words) => {
    const { status, error, upstream } = await ask(item);
    expect([status, error]).toMatchObject([400, { param, message: expect.stringContaining(words) }]);
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" },
    { type: "web_search_call", id: "w", status: "completed", action: { type: "search", query: "sun" } },
    { type: "file_search_call", id: "f", queries: ["sun"], results: null },
    { type: "code_interpreter_call", id: "i", code: "1", outputs: [] },
    { type: "mcp_call", id: "m", name: "n", arguments: "{}", output: null },
    { type: "mcp_list_tools", id: "m", server_label: "a", tools: [] },
    { type: "local_shell_call", id: "l", call_id: "c", action: { type: "exec", command: ["ls"] } },
    { type: "compaction", id: "c", encrypted_content: "x" },
    { type: "compaction_summary", encrypted_content: "x" },
    { type: "ghost_snapshot", ghost_commit: {} },
  ])("without a result is left out: %j", async (item) => {
    const { status, upstream } = await ask(item);
    expect(status).toBe(200);
    expect(promptOf(upstream.requests[0]!)).toContain("Hello");
  });
});
