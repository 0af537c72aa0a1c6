import { afterEach, describe, expect, test } from "vitest";
import { scripted } from "../test/scripted.js";
import { connectMcp, type McpOptions, type McpServerConfig, type McpServerError, type McpToolset } from "./index.js";

const opened: McpToolset[] = [];
afterEach(async () => void (await Promise.all(opened.splice(0).map((toolset) => toolset.close()))));

async function connect(server: McpServerConfig, options: McpOptions = {}) {
  const problems: McpServerError[] = [];
  const toolset = await connectMcp({ x: server }, { onProblem: (problem) => void problems.push(problem), ...options });
  opened.push(toolset);
  return { toolset, problems, call: () => toolset.tools[0]!.execute({}, { toolCallId: "1" }) };
}

const answering = scripted({ "tools/call": () => ({ content: [{ type: "text", text: "done" }] }) });

describe("a slip in the servers is an error that says what is right", () => {
  test.each([
    [
      { x: { command: "npx -y @example/server ." } },
      'Its arguments belong into `args`: { command: "npx", args: ["-y", "@example/server", "."] }',
    ],
    [{ command: "node", args: ["server.mjs"] }, "Servers are given by name: { name: { command } }"],
    [{ url: "http://localhost:3000/mcp" }, "Servers are given by name: { name: { url } }"],
    [{ x: { url: "localhost:3000/mcp" } }, "its `url` begins with localhost:, not with http: or https:"],
    [{ x: { url: "127.0.0.1:3000/mcp" } }, 'its `url` is not a URL, such as "http://localhost:3000/mcp"'],
  ])("%j", async (servers, said) => {
    await expect(connectMcp(servers as never)).rejects.toThrow(said);
  });
});

test("a process that writes other text to its standard output is named as such", async () => {
  const noisy = {
    command: process.execPath,
    args: ["-e", "console.log('Server started.'); setInterval(() => {}, 1000)"],
  };
  await expect(connect(noisy, { timeout: 1500 })).rejects.toThrow(
    /no answer within 1.5 s .* standard output .*"Server started\."/s,
  );
});

test("a list whose next cursor is empty has ended", async () => {
  let lists = 0;
  const tools = () => ({ tools: [{ name: `list${++lists}`, inputSchema: { type: "object" } }], nextCursor: "" });
  const { toolset, problems } = await connect(scripted({ "tools/list": tools }));
  expect(toolset.tools.map(({ name }) => name)).toEqual(["list1"]);
  expect(problems).toEqual([]);
});

test("a tool that is omitted is reported with what is wrong in it", async () => {
  const tools = [
    { name: "bare" },
    { name: "list", inputSchema: { type: "array" } },
    "no tool",
    { name: "fine", inputSchema: { type: "object" } },
  ];
  const { toolset, problems } = await connect(scripted({ "tools/list": () => ({ tools }) }));
  expect(toolset.tools.map(({ name }) => name)).toEqual(["fine"]);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(/is omitted: "bare" \(inputSchema: .*object/),
    expect.stringMatching(/is omitted: "list" \(inputSchema\/type: .*object/),
    expect.stringMatching(/is omitted: "no tool" \(its root: .*object/),
  ]);
});

describe("a function of the application", () => {
  test.each([undefined, "text", { result: 1 }])(
    "aroundCall that returns %j is named, and not a crash",
    async (value) => {
      const { call } = await connect(answering, { aroundCall: async () => value as never });
      const error = await call();
      expect(error).toMatchObject({ code: "callback-failed", server: "x", tool: "one" });
      expect(String(error)).toContain("`aroundCall` returned");
      expect(String(error)).toContain("return await next()");
    },
  );

  test("that rejects ends neither the call nor the process", async () => {
    const rejected: unknown[] = [];
    const onRejection = (reason: unknown) => rejected.push(reason);
    process.on("unhandledRejection", onRejection);
    try {
      let lists = 0;
      const failing = async () => Promise.reject(new Error("no log"));
      const server = scripted({
        "tools/list": () => ({
          tools: [{ name: `list${++lists}`, inputSchema: { type: "object" } }, { name: "bare" }],
        }),
        "tools/call": ({ _meta }: { _meta: { progressToken: number } }, send) => {
          const { progressToken } = _meta;
          send({ method: "notifications/progress", params: { progressToken, progress: 1 } });
          send({ method: "notifications/message", params: { level: "info", data: "x" } });
          return { content: [{ type: "text", text: "done" }] };
        },
      });
      const { call } = await connect(server, { onProgress: failing, onEvent: failing, onProblem: failing });
      expect(await call()).toBe("done");
      await new Promise((resolve) => setImmediate(resolve));
      expect(rejected).toEqual([]);
    } finally {
      process.off("unhandledRejection", onRejection);
    }
  });

  test("onToolsChanged that rejects is a problem of the application, as one that throws", async () => {
    let lists = 0;
    const error = new Error("no agent");
    const server = scripted({
      "tools/list": () => ({ tools: [{ name: `list${++lists}`, inputSchema: { type: "object" } }] }),
      "tools/call": (_, send) => {
        send({ method: "notifications/tools/list_changed" });
        return { content: [] };
      },
    });
    const { call, problems } = await connect(server, { onToolsChanged: async () => Promise.reject(error) });
    await call();
    await expect.poll(() => problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ code: "callback-failed", cause: error });
  });
});
