import { describe, expect, it } from "vitest";
import { gatewayBefore, parameters } from "./support/gateway.js";

const chat = "/v1/chat/completions";
const user = { messages: [{ role: "user", content: "Hi" }] };
const schema = (given: unknown) => ({ type: "json_schema", schema: given });
/** Stands for so many lists in each other, which JSON.stringify could not write. */
const nested = (depth: number) => `<${depth}>`;
const written = (body: unknown) =>
  JSON.stringify(body).replace(/"?<(\d+)>"?/g, (_, depth) => "[".repeat(depth) + "]".repeat(depth));
const tool = (inside: unknown) => ({ ...parameters, default: inside });

describe("an error of the client is reported before the model is asked", () => {
  it.each([
    [chat, { temperature: -1 }, "temperature"],
    [chat, { temperature: 2.5 }, "temperature"],
    [chat, { top_p: 2 }, "top_p"],
    [chat, { presence_penalty: 3 }, "presence_penalty"],
    [
      chat,
      { response_format: { type: "json_schema", json_schema: { schema: [] } } },
      "response_format.json_schema.schema",
    ],
    [
      chat,
      { tools: [{ type: "function", function: { name: "f", parameters: tool(nested(5000)) } }] },
      "tools[0].function.parameters",
    ],
    [chat, { metadata: nested(200_000) }, "metadata[0][0][0]"],
    [
      chat,
      {
        messages: [
          {
            role: "assistant",
            tool_calls: [
              {
                id: "c",
                type: "function",
                function: { name: "f", arguments: `{"a":${nested(5000)}}` },
              },
            ],
          },
        ],
      },
      "messages[0].tool_calls[0]",
    ],
    ["/v1/responses", { text: { format: schema("x") } }, "text.format.schema"],
    ["/v1/responses", { text: { format: { type: "json_schema", name: "a" } } }, "text.format.schema"],
    [
      "/v1/responses",
      {
        response_format: { type: "json_schema", json_schema: { schema: {} } },
        text: { format: schema({ type: "objct" }) },
      },
      "text.format.schema",
    ],
    [
      chat,
      { response_format: { type: "json_schema", json_schema: { name: "a" } } },
      "response_format.json_schema.schema",
    ],
    [chat, { response_format: { type: "json_schema" } }, "response_format.json_schema.schema"],
    ["/v1/responses", { metadata: { a: nested(5000) } }, "metadata.a[0][0]"],
  ])("%s %j", async (path, body, param) => {
    const { post, upstream } = await gatewayBefore([]);
    const answer = await post(path, written({ model: "m", ...(path === chat ? user : { input: "Hi" }), ...body }));
    const { error } = (await answer.json()) as { error: object };
    expect([answer.status, error]).toEqual([400, expect.objectContaining({ param })]);
    expect(upstream.requests).toEqual([]);
  });

  const asked = (message: object) => ({ messages: [{ role: "user", content: "Hi" }, message] });
  const ofCall = { role: "tool", content: "Fine" };
  it.each<[string, object, string, string]>([
    [
      chat,
      asked({ role: "user", contents: "Hi" }),
      "messages[1].content",
      '(there is "contents": did you mean "content"?)',
    ],
    [chat, asked({ role: "user" }), "messages[1].content", "a text or a list of parts"],
    [chat, asked({ ...ofCall, tool_cal_id: "1" }), "messages[1].tool_cal_id", 'Did you mean "tool_call_id"?'],
    [chat, asked({ role: "assistant", tool_call: [{}] }), "messages[1].tool_call", 'Did you mean "tool_calls"?'],
    ["/v1/responses", { input: [{ role: "user" }] }, "input[0].content", "a text or a list of parts"],
    ["/v1/responses", { input: [{ role: "user", conten: "Hi" }] }, "input[0].content", 'did you mean "content"?'],
  ])("%s refuses a message without what is shown to the model: %j", async (path, body, param, words) => {
    const { post, upstream } = await gatewayBefore([]);
    const answer = await post(path, JSON.stringify({ model: "m", ...body }));
    const { error } = (await answer.json()) as { error: { message: string } };
    expect([answer.status, error]).toEqual([400, expect.objectContaining({ param })]);
    expect(error.message).toContain(words);
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    [{ type: "array" }, "parameters_not_object", "must describe an object", ""],
    [{ type: "objct" }, "invalid_schema", 'Did you mean "object"?', ""],
    [{ type: "object", properties: { a: { type: "strng" } } }, "invalid_schema", '"string"?', ".properties.a"],
  ])("a tool with the parameters %j is refused by name and place", async (given, code, words, inside) => {
    const { post, upstream } = await gatewayBefore([]);
    const other = { type: "function", function: { name: "now" } };
    const tools = [other, { type: "function", function: { name: "weather", parameters: given } }];
    const answer = await post(chat, JSON.stringify({ model: "m", ...user, tools }));
    const { error } = (await answer.json()) as { error: { message: string } };
    expect([answer.status, error]).toEqual([
      400,
      expect.objectContaining({ code, param: `tools[1].function.parameters${inside}` }),
    ]);
    expect(error.message).toContain('tool "weather"');
    expect(error.message).toContain(words);
    expect(upstream.requests).toEqual([]);
  });

  const odd = { name: "weather", parameters: { type: "objct" } };
  const twice = { type: "function", function: { name: "now" } };
  const wrongAnswer = { type: "objct" };
  it.each<[string, object, string]>([
    ["/v1/responses", { tools: [{ type: "function", ...odd }] }, "tools[0].parameters"],
    [
      "/v1/responses",
      { tools: [{ type: "namespace", name: "n", tools: [{ type: "function", ...odd }] }] },
      "tools[0].tools[0].parameters",
    ],
    [chat, { functions: [{ name: "now" }, odd] }, "functions[1].parameters"],
    [chat, { tools: [twice, twice] }, "tools[1].function.name"],
    [chat, { tools: [twice, { type: "function", function: { name: " " } }] }, "tools[1].function.name"],
    [chat, { tools: [twice, { type: "custom", custom: { name: "" } }] }, "tools[1].custom.name"],
    ["/v1/responses", { tools: [{ type: "web_search" }, { type: "function", name: "" }] }, "tools[1].name"],
    [
      chat,
      { response_format: { type: "json_schema", json_schema: { name: "a", schema: wrongAnswer } } },
      "response_format.json_schema.schema",
    ],
    ["/v1/responses", { text: { format: schema({ items: wrongAnswer }) } }, "text.format.schema.items"],
  ])("%s %j is refused with the place of the schema", async (path, body, param) => {
    const { post, upstream } = await gatewayBefore([]);
    const answer = await post(
      path,
      JSON.stringify({ model: "m", ...(path === chat ? user : { input: "Hi" }), ...body }),
    );
    expect([answer.status, ((await answer.json()) as { error: object }).error]).toEqual([
      400,
      expect.objectContaining({ param }),
    ]);
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    [{ temperature: -0.1 }, "`temperature` must be a number from 0 to 2, not -0.1."],
    [{ output_format: schema([]) }, "`output_format.schema` must be a JSON Schema, an object, not a list."],
    [
      { output_config: { format: schema("x") } },
      "`output_config.format.schema` must be a JSON Schema, an object, not ",
    ],
    [
      {
        messages: [
          { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: { a: nested(5000) } }] },
        ],
      },
      "`messages[0].content[0]` is nested deeper than 500 levels",
    ],
  ])("/v1/messages %j", async (body, words) => {
    const { post, upstream } = await gatewayBefore([]);
    const answer = await post("/v1/messages", written({ model: "m", max_tokens: 9, ...user, ...body }));
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(words)]);
    expect(upstream.requests).toEqual([]);
  });

  it("also a tool whose schema has more branches than one request may keep the gateway busy with", async () => {
    const anyOf = Array.from({ length: 400 }, () => ({ anyOf: Array.from({ length: 400 }, (_, i) => ({ const: i })) }));
    const huge = { ...parameters, properties: { city: { anyOf } } };
    const { post } = await gatewayBefore([]);
    const answer = await post(chat, {
      model: "m",
      ...user,
      tools: [{ type: "function", function: { name: "f", parameters: huge } }],
    });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining("more than 20000 branches in all"),
    ]);
  });

  it("also an answer's schema that is too deep for a grammar", async () => {
    const { post } = await gatewayBefore([], { model: { backend: "llama.cpp", constraint: "required" } });
    const format = { type: "json_schema", json_schema: { schema: { default: nested(300) } } };
    const answer = await post(chat, written({ model: "m", ...user, response_format: format }));
    expect(answer.status).toBe(400);
  });
});
