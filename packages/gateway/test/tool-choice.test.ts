import { describe, expect, it } from "vitest";
import { reply, stream } from "../../endpoints/test/support/scripted-server.js";
import { call, eventsIn, gatewayBefore, parameters, promptOf } from "./support/gateway.js";

/** One of the APIs: how a request names its tools and their choice, and what an answer has. */
interface Api {
  path: string;
  asked: object;
  tool(name: string, schema?: unknown): object;
  /** Where the schema of the first tool is. */
  schemaAt: string;
  named(name: string): object;
  required: unknown;
}

const messages = [{ role: "user", content: "What is the weather in Oslo?" }];
const apis: Record<string, Api> = {
  "Chat Completions": {
    path: "/v1/chat/completions",
    asked: { messages },
    tool: (name, schema = parameters) => ({ type: "function", function: { name, parameters: schema } }),
    schemaAt: "tools[0].function.parameters",
    named: (name) => ({ type: "function", function: { name } }),
    required: "required",
  },
  Responses: {
    path: "/v1/responses",
    asked: { input: "What is the weather in Oslo?" },
    tool: (name, schema = parameters) => ({ type: "function", name, parameters: schema }),
    schemaAt: "tools[0].parameters",
    named: (name) => ({ type: "function", name }),
    required: "required",
  },
  Messages: {
    path: "/v1/messages",
    asked: { messages, max_tokens: 99 },
    tool: (name, schema = parameters) => ({ name, input_schema: schema }),
    schemaAt: "tools[0].input_schema",
    named: (name) => ({ type: "tool", name }),
    required: { type: "any" },
  },
};

describe.each(Object.entries(apis))("%s: a choice of a tool", (_, { path, asked, tool, schemaAt, named, required }) => {
  const tools = [tool("get_weather"), tool("get_time")];
  const other = call({ city: "Oslo" }, "get_time");

  for (const streamed of [false, true]) {
    for (const liveCalls of [false, true]) {
      const how = `${streamed ? "streamed" : "whole"}, liveCalls: ${liveCalls}`;
      const ask = async (answers: string[], tool_choice: unknown) => {
        const { post, upstream } = await gatewayBefore(
          answers.map((text) => stream(reply(text))),
          { model: { liveCalls } },
        );
        const answer = await post(path, { model: "m", ...asked, tools, tool_choice, stream: streamed });
        return { status: answer.status, body: await answer.text(), prompts: upstream.requests.map(promptOf) };
      };

      it(`asks again if the model calls another one (${how})`, async () => {
        const { body, prompts } = await ask([other, call({ city: "Oslo" })], named("get_weather"));
        expect(prompts).toHaveLength(2);
        expect(prompts[1]!.slice(prompts[1]!.indexOf("get_time", prompts[0]!.length))).toContain(
          "Answer this by calling the tool get_weather.",
        );
        expect(body).toContain('"get_weather"');
        expect(body).toContain("Oslo");
      });

      it.each([
        ["another tool's call", other, String.raw`{\"name\":\"get_time\",\"arguments\":{\"city\":\"Oslo\"}}`],
        ["a text", "It is sunny.", "It is sunny."],
      ])(`answers with the model's text if it stays with %s (${how})`, async (_, said, text) => {
        const { status, body, prompts } = await ask([said, said, said], named("get_weather"));
        expect([status, prompts.length]).toEqual([200, 3]);
        expect(body).toContain(text);
        expect(body).not.toMatch(/"tool_calls"|"function_call"|"tool_use"/);
      });
    }
  }

  it.each([
    ["requires a call without tools", { tool_choice: required }, "there is no tool to call"],
    ["requires a call with an empty list of tools", { tools: [], tool_choice: required }, "there is no tool to call"],
    ["names a tool without tools", { tool_choice: named("get_weather") }, '"get_weather", which is none of the tools'],
    [
      "names a misspelt tool",
      { tools, tool_choice: named("get_wether") },
      'names "get_wether", which is none of the tools. Did you mean "get_weather"?',
    ],
  ])("that %s is refused", async (_, request, words) => {
    const { post, upstream } = await gatewayBefore([stream(reply("Hi"))]);
    const answer = await post(path, { model: "m", ...asked, ...request });
    const { error } = (await answer.json()) as { error: { message: string; param?: string } };
    expect([answer.status, error.message]).toEqual([400, expect.stringContaining("`tool_choice`")]);
    expect(error.message).toContain(words);
    if (path !== "/v1/messages") expect(error).toMatchObject({ param: "tool_choice" });
    expect(upstream.requests).toEqual([]);
  });

  it.each([[5], ["object"], [true], [[]]])("of which the schema is %j is refused", async (schema) => {
    const { post, upstream } = await gatewayBefore([stream(reply("Hi"))]);
    const answer = await post(path, { model: "m", ...asked, tools: [tool("get_weather", schema)] });
    const { error } = (await answer.json()) as { error: { message: string } };
    expect([answer.status, error.message]).toEqual([
      400,
      expect.stringContaining(`\`${schemaAt}\` must be a JSON Schema, an object, not `),
    ]);
    expect(upstream.requests).toEqual([]);
  });
});

/** All strings under these keys, joined. */
function textIn(value: unknown, keys: readonly string[]): string {
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value)
    .map(([key, one]) => (typeof one === "string" ? (keys.includes(key) ? one : "") : textIn(one, keys)))
    .join("");
}

describe("a call that the choice of tools excludes is text as the model wrote it", () => {
  const other = call({ city: "Oslo" }, "get_time");
  const allowed = (tool: object) => ({
    type: "allowed_tools",
    allowed_tools: { mode: "auto", tools: [tool] },
    tools: [tool],
    mode: "auto",
  });
  const cases = Object.entries(apis).flatMap(([name, api]) => {
    const choices: [string, unknown][] = [["named", api.named("get_weather")]];
    if (name !== "Messages") choices.push(["allowed", allowed(api.named("get_weather"))]);
    return choices.flatMap(([kind, choice]) =>
      [true, false].map((streamed) => ({ name, api, kind, choice, streamed })),
    );
  });

  it.each(cases)("$name, $kind, streamed: $streamed", async ({ api, kind, choice, streamed }) => {
    for (const said of [other, `Let me look.\n${other}`, `${other}\nSo.`, `Well.\n\n${other}\n${other}\nSo.`]) {
      const { post } = await gatewayBefore([1, 2, 3].map(() => stream(reply(...(said.match(/[\s\S]{1,6}/g) ?? [])))));
      const tools = [api.tool("get_weather"), api.tool("get_time")];
      const answer = await post(api.path, { model: "m", ...api.asked, tools, tool_choice: choice, stream: streamed });
      const body = await answer.text();
      const text = streamed
        ? eventsIn(body)
            .map(({ event, data }) =>
              event?.endsWith(".done") || event === "response.completed"
                ? ""
                : textIn(data, ["content", "delta", "text"]),
            )
            .join("")
        : textIn(JSON.parse(body), ["content", "text"]);
      // A reply is read up to the first call if a call of one tool is required.
      const read = kind === "named" ? said.slice(0, said.indexOf(other) + other.length) : said;
      expect(text.replace(/\n+/g, "\n")).toBe(read.replace(/\n+/g, "\n"));
    }
  });
});

describe("a choice of Responses that names a type", () => {
  const { path, asked, tool } = apis.Responses!;
  const ask = async (type: unknown, stream_ = false) => {
    const { post, upstream } = await gatewayBefore([1, 2, 3].map(() => stream(reply(call({ city: "Oslo" })))));
    const tools = [tool("get_weather"), { type: "web_search_preview_2025_03_11" }];
    const answer = await post(path, { model: "m", ...asked, tools, tool_choice: { type }, stream: stream_ });
    return { status: answer.status, body: await answer.text(), upstream };
  };

  it.each(["banana", "web_search", "web_search_preview_2025", "any", "", 5, null])(
    "is refused if no tool has it: %j",
    async (type) => {
      const { status, body, upstream } = await ask(type);
      expect([status, JSON.parse(body).error.message]).toEqual([400, expect.stringContaining("tool_choice")]);
      expect(upstream.requests).toEqual([]);
    },
  );

  it.each([false, true])(
    "has an answer without a call if it is that of a hosted tool, streamed: %s",
    async (streamed) => {
      const { status, body } = await ask("web_search_preview", streamed);
      expect(status).toBe(200);
      expect(body).not.toContain('"function_call"');
    },
  );
});

describe("a choice among tools that names an unknown one is refused", () => {
  const [chat, responses] = ["/v1/chat/completions", "/v1/responses"];
  const inChat = (mode: string, ...tools: unknown[]) => ({ type: "allowed_tools", allowed_tools: { mode, tools } });
  const inResponses = (mode: string, ...tools: unknown[]) => ({ type: "allowed_tools", mode, tools });
  const [first, second] = [apis["Chat Completions"]!, apis.Responses!];

  it.each([
    [chat, inChat("auto", first.named("get_weather"), first.named("get_wether")), "allowed_tools.tools[1]"],
    [chat, inChat("required", first.named("get_wether")), "allowed_tools.tools[0]"],
    [responses, inResponses("auto", second.named("get_weather"), second.named("get_wether")), "tools[1]"],
    [responses, inResponses("required", { type: "custom", name: "get_wether" }), "tools[0]"],
  ])("%s %j", async (path, tool_choice, at) => {
    const api = path === chat ? first : second;
    const { post, upstream } = await gatewayBefore([stream(reply("Hi"))]);
    const answer = await post(path, { model: "m", ...api.asked, tools: [api.tool("get_weather")], tool_choice });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      {
        error: {
          param: `tool_choice.${at}`,
          code: "unknown_tool",
          message: `\`tool_choice.${at}\` names "get_wether", which is none of the tools. Did you mean "get_weather"?`,
        },
      },
    ]);
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    [chat, inChat("required"), 400],
    [responses, inResponses("required"), 400],
    [responses, inResponses("auto"), 200],
    [responses, inResponses("required", { type: "web_search" }), 200],
    [responses, inResponses("auto", { type: "mcp", server_label: "docs" }, second.named("get_weather")), 200],
  ])("%s %j: %d", async (path, tool_choice, status) => {
    const api = path === chat ? first : second;
    const { post } = await gatewayBefore([1, 2, 3].map(() => stream(reply("Hi"))));
    const tools = [api.tool("get_weather"), { type: "web_search" }];
    const answer = await post(path, { model: "m", ...api.asked, tools, tool_choice });
    expect(answer.status).toBe(status);
    if (status !== 200) expect(await answer.text()).toContain("there is no tool to call");
  });
});

it.each([
  ["Chat Completions", { type: "tool", name: "get_weather" }, '"function", "custom" or "allowed_tools", not "tool".'],
  ["Chat Completions", { type: "any" }, '"function", "custom" or "allowed_tools", not "any".'],
  ["Messages", { type: "function", name: "get_weather" }, '"auto", "any", "none" or "tool", not "function".'],
])("a choice of another API is refused for its type: %s: %j", async (name, tool_choice, mustBe) => {
  const { path, asked, tool } = apis[name]!;
  const { post } = await gatewayBefore([]);
  const answer = await post(path, { model: "m", ...asked, tools: [tool("get_weather")], tool_choice });
  const { error } = (await answer.json()) as { error: { message: string } };
  expect([answer.status, error.message]).toEqual([400, `\`tool_choice.type\` must be ${mustBe}`]);
});

it("the deprecated choice of a function is refused by its own name", async () => {
  const { post } = await gatewayBefore([stream(reply("Hi"))]);
  const functions = [{ name: "get_weather", parameters }];
  const body = { model: "m", messages, functions, function_call: { name: "get_time" } };
  const answer = await post("/v1/chat/completions", body);
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { error: { param: "function_call", code: "unknown_tool", message: expect.stringContaining("`function_call`") } },
  ]);
});

it("a deprecated function whose schema has a misspelt key is refused", async () => {
  const { post } = await gatewayBefore([stream(reply("Hi"))]);
  const functions = [{ name: "now" }, { name: "get_weather", paramters: parameters }];
  const answer = await post("/v1/chat/completions", { model: "m", messages, functions });
  const { error } = (await answer.json()) as { error: { message: string } };
  expect([answer.status, error.message]).toEqual([
    400,
    '`functions[1].parameters` is missing: it must be the schema, which is under "paramters": { name, description, parameters }.',
  ]);
});

const shapes = {
  chat: '{ type: "function", function: { name, description, parameters } }',
  responses: '{ type: "function", name, description, parameters }',
  claude: "{ name, description, input_schema }",
};
const chat = { at: "/v1/chat/completions", type: `"function": ${shapes.chat}`, shape: shapes.chat };
const responses = { at: "/v1/responses", type: `"function": ${shapes.responses}`, shape: shapes.responses };
const claude = { at: "/v1/messages", type: `"custom", or no type: ${shapes.claude}`, shape: shapes.claude };
const weather = { name: "get_weather", parameters };

describe("a tool of the client that would be taken for one that a provider runs is refused", () => {
  it.each([
    [chat.at, { function: weather }, `\`tools[1].type\` is missing: it must be ${chat.type}.`],
    [chat.at, {}, `\`tools[1].type\` is missing: it must be ${chat.type}.`],
    [chat.at, { type: null, function: weather }, `\`tools[1].type\` must be ${chat.type}, not null.`],
    [chat.at, { name: "a", input_schema: parameters }, `\`tools[1].type\` is missing: it must be ${chat.type}.`],
    [chat.at, { type: "functions", function: weather }, `\`tools[1].type\` must be ${chat.type}, not "functions".`],
    [chat.at, { type: "functions", ...weather }, `\`tools[1].type\` must be ${chat.type}, not "functions".`],
    [
      chat.at,
      { type: "tool", name: "a", input_schema: parameters },
      `\`tools[1].type\` must be ${chat.type}, not "tool".`,
    ],
    [
      chat.at,
      { type: "function", ...weather },
      `\`tools[1].function\` is missing: it must be an object: ${chat.shape}.`,
    ],
    [
      chat.at,
      { type: "function", function: { name: "a", input_schema: parameters } },
      `\`tools[1].function.parameters\` is missing: it must be the schema, which is under "input_schema": ${chat.shape}.`,
    ],
    [
      responses.at,
      { type: "function", name: "a", paramters: parameters },
      `\`tools[1].parameters\` is missing: it must be the schema, which is under "paramters": ${responses.shape}.`,
    ],
    [
      claude.at,
      { name: "a", schema: parameters },
      `\`tools[1].input_schema\` is missing: it must be the schema, which is under "schema": ${claude.shape}.`,
    ],
    [responses.at, weather, `\`tools[1].type\` is missing: it must be ${responses.type}.`],
    [responses.at, { type: "functions", ...weather }, `\`tools[1].type\` must be ${responses.type}, not "functions".`],
    [
      responses.at,
      { type: "custom", name: "a", input_schema: parameters },
      `\`tools[1].type\` must be ${responses.type}, not "custom".`,
    ],
    [
      responses.at,
      { type: "function", name: "a", inputSchema: parameters },
      `\`tools[1].parameters\` is missing: it must be an object: ${responses.shape}.`,
    ],
    [responses.at, { function: weather }, `\`tools[1].type\` is missing: it must be ${responses.type}.`],
    [
      responses.at,
      { type: "namespace", name: "a", tools: [weather] },
      `\`tools[1].tools[0].type\` is missing: it must be ${responses.type}.`,
    ],
    [claude.at, { type: "function", function: weather }, `\`tools[1].type\` must be ${claude.type}, not "function".`],
    [claude.at, { type: "function", ...weather }, `\`tools[1].type\` must be ${claude.type}, not "function".`],
    [claude.at, { type: 5, name: "a", input_schema: {} }, `\`tools[1].type\` must be ${claude.type}, not 5.`],
    [claude.at, { type: "tool", name: "a", input_schema: {} }, `\`tools[1].type\` must be ${claude.type}, not "tool".`],
    [claude.at, weather, `\`tools[1].input_schema\` is missing: it must be an object: ${claude.shape}.`],
    [
      claude.at,
      { name: "a", inputSchema: parameters },
      `\`tools[1].input_schema\` is missing: it must be an object: ${claude.shape}.`,
    ],
    [claude.at, {}, "`tools[1].name` is missing: it must be the tool's name."],
    [
      claude.at,
      { name: "a" },
      `\`tools[1].input_schema\` is missing: it must be a JSON Schema, an object: ${claude.shape}.`,
    ],
  ])("%s: %j", async (path, tool, message) => {
    const { post, upstream } = await gatewayBefore([stream(reply("Hi"))]);
    const api = Object.values(apis).find((one) => one.path === path)!;
    const tools = [api.tool("now"), tool];
    const answer = await post(path, { model: "m", ...api.asked, tools, tool_choice: api.required });
    const { error } = (await answer.json()) as { error: { message: string } };
    expect([answer.status, error.message]).toEqual([400, message]);
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    [chat.at, { type: "web_search" }],
    [chat.at, { type: "openrouter:web_search", parameters: { max_results: 3 } }],
    [chat.at, { type: "function", function: { name: "a", output_schema: parameters } }],
    [responses.at, { type: "tool_search", execution: "client", parameters }],
    [claude.at, { type: "web_search_20250305", name: "web_search" }],
    [claude.at, { type: "mcp_toolset", mcp_server_name: "a" }],
    [claude.at, { type: "custom", name: "a", input_schema: parameters }],
    [claude.at, { type: null, name: "a", input_schema: parameters }],
  ])("but not one that a provider runs, nor one of the API's shape: %s: %j", async (path, tool) => {
    const { post } = await gatewayBefore([stream(reply("Hi"))]);
    const { asked } = Object.values(apis).find((one) => one.path === path)!;
    expect((await post(path, { model: "m", ...asked, tools: [tool] })).status).toBe(200);
  });
});

it("a required call with only the tools that a provider runs is answered without one", async () => {
  const { post } = await gatewayBefore([stream(reply("Hi")), stream(reply("Hi")), stream(reply("Hi"))]);
  const tools = [{ type: "web_search" }];
  const answer = await post("/v1/responses", { model: "m", input: "Hi", tools, tool_choice: "required" });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("Hi")]);
});
