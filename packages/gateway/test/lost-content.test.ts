import { describe, expect, it } from "vitest";
import { reply, stream } from "../../endpoints/test/support/scripted-server.js";
import { gatewayBefore, promptOf } from "./support/gateway.js";

const found = {
  type: "search_result",
  title: "Oslo",
  source: "https://example.org/oslo",
  content: [{ type: "text", text: "Oslo is wet." }],
};

describe("content", () => {
  it("of a search is shown to the model, also in a tool result", async () => {
    const { anthropic, upstream } = await gatewayBefore([stream(reply("Yes"))]);
    await anthropic.messages.create({
      model: "m",
      max_tokens: 9,
      messages: [
        { role: "user", content: [{ type: "text", text: "Is it?" }, { ...found, type: "search_result" } as never] },
        { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "search", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: [found as never] }] },
      ],
    });
    const prompt = promptOf(upstream.requests[0]!);
    for (const words of ["Oslo", "https://example.org/oslo", "Oslo is wet."]) {
      expect(prompt.split(words).length).toBeGreaterThan(2);
    }
  });

  it.each([
    ["a text", { type: "text", media_type: "text/plain", data: "Oslo is wet." }],
    ["a text of blocks", { type: "content", content: [{ type: "text", text: "Oslo is wet." }] }],
    ["a text in one piece", { type: "content", content: "Oslo is wet." }],
  ])("of a document that is %s is shown to the model, also in a tool result", async (_, source) => {
    const { anthropic, upstream } = await gatewayBefore([stream(reply("Yes"))]);
    const document = { type: "document" as const, title: "On Oslo", context: "A leaflet", source, citations: null };
    await anthropic.messages.create({
      model: "m",
      max_tokens: 9,
      messages: [
        { role: "user", content: [document as never, { type: "text", text: "Is it?" }] },
        { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: [document as never] }] },
      ],
    });
    expect(promptOf(upstream.requests[0]!).split("On Oslo\nA leaflet\nOslo is wet.")).toHaveLength(3);
  });

  it("that refers to a tool is the tool's name", async () => {
    const { anthropic, upstream } = await gatewayBefore([stream(reply("Yes"))]);
    const content = [{ type: "tool_reference" as const, tool_name: "get_weather" }];
    await anthropic.messages.create({
      model: "m",
      max_tokens: 9,
      messages: [
        { role: "user", content: "Is it wet?" },
        { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "find_tools", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content }] },
      ],
    });
    expect(promptOf(upstream.requests[0]!)).toContain("<tool_response>\nget_weather\n</tool_response>");
  });

  it("that only the provider's server can read is left out: its own calls, and encrypted results", async () => {
    const { anthropic, upstream } = await gatewayBefore([stream(reply("Yes"))]);
    const page = { type: "web_search_result", title: "T", url: "https://example.org", encrypted_content: "secret" };
    const found = { type: "tool_search_tool_search_result", tool_references: [] };
    const answer = [
      { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "Oslo" } },
      { type: "web_search_tool_result", tool_use_id: "s1", content: [page] },
      { type: "server_tool_use", id: "s2", name: "tool_search_tool_regex", input: { query: "a" } },
      { type: "tool_search_tool_result", tool_use_id: "s2", content: found },
      { type: "text", text: "It rains in Oslo." },
    ];
    await anthropic.messages.create({
      model: "m",
      max_tokens: 9,
      messages: [
        { role: "user", content: "Weather?" },
        { role: "assistant", content: answer as never },
        { role: "user", content: "And tomorrow?" },
      ],
    });
    expect(upstream.requests[0]!.body.messages).toEqual([
      { role: "user", content: "Weather?" },
      { role: "assistant", content: "It rains in Oslo." },
      { role: "user", content: "And tomorrow?" },
    ]);
  });

  const user = (content: unknown) => ({ messages: [{ role: "user", content }] });
  const chat = "/v1/chat/completions";
  it.each([
    [chat, user([null]), "messages[0].content[0]"],
    [chat, user([{}]), "messages[0].content[0].type"],
    [chat, user([[["x"]]]), "messages[0].content[0]"],
    [chat, user([{ text: "Hi" }]), "messages[0].content[0].type"],
    [chat, user([{ type: "text", text: 5 }]), "messages[0].content[0].text"],
    [chat, user([{ type: "odd", odd: "Hi" }]), "messages[0].content[0]"],
    [chat, { messages: [] }, "messages"],
    ["/v1/responses", { input: [] }, "input"],
    ["/v1/responses", { input: [{ role: "user", content: [{ type: "odd" }] }] }, "input[0].content[0]"],
  ])("that would be lost is refused with its place: %s %j", async (path, body, param) => {
    const { post, upstream } = await gatewayBefore([]);
    const answer = await post(path, { model: "m", ...body });
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: object }).error).toMatchObject({ param });
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    [{ ...user("Hi"), system: [{ text: "Be brief" }] }, "system[0].type"],
    [{ ...user("Hi"), system: [5] }, "system[0]"],
    [user([{ type: "container_upload", file_id: "f" }]), "container_upload"],
    [
      { messages: [{ role: "assistant", content: [{ type: "mcp_tool_result", tool_use_id: "s", content: [] }] }] },
      "mcp_tool_result",
    ],
    ...[
      { type: "base64", media_type: "application/pdf", data: "AA==" },
      { type: "url", url: "https://example.org/a.pdf" },
      { type: "file", file_id: "f" },
    ].map((source): [object, string] => [user([{ type: "document", source }]), "document"]),
    [user([{ type: "document", source: { type: "content", content: [{ type: "image", source: {} }] } }]), "image"],
    [user([{ type: "document", source: { type: "text", data: 5 } }]), "messages[0].content[0].source.data"],
    [{ messages: [] }, "messages"],
  ])("that would be lost is refused for Anthropic's clients: %j", async (body, place) => {
    const { post } = await gatewayBefore([]);
    const answer = await post("/v1/messages", { model: "m", max_tokens: 9, ...body });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(place)]);
  });
});
