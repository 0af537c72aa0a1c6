import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { describe, expect, test } from "vitest";
import { connectMcp, createMcpServer, type McpServerConfig, type McpServers } from "./index.js";

const ours = (): McpServerConfig => ({
  transport: () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const tools = [{ name: "hello", execute: () => "Hello." }];
    void createMcpServer(tools, { name: "ours", version: "1" }).connect(far);
    return near;
  },
});
const broken: McpServerConfig = { command: "no-such-command", disabled: true };

describe("servers", () => {
  test.each([
    ["by name", () => ({ ours: ours(), broken })],
    ["as they are pasted", () => ({ mcpServers: { ours: ours(), broken } })],
    ["as VS Code has them", () => ({ servers: { ours: { type: "http" as const, ...ours() } }, inputs: [] })],
    ["with what other clients keep beside", () => ({ ours: { ...ours(), autoApprove: ["hello"], description: "x" } })],
  ])("are accepted %s", async (_, servers) => {
    const mcp = await connectMcp(servers());
    expect(mcp.tools.map(({ name }) => name)).toEqual(["hello"]);
    expect(Object.keys(mcp.servers)).toEqual(["ours"]);
    await mcp.close();
  });

  test("may be called `servers` and `mcpServers`", async () => {
    const mcp = await connectMcp({ servers: ours(), mcpServers: ours() });
    expect(mcp.tools.map(({ name }) => name)).toEqual(["servers__hello", "mcpServers__hello"]);
    await mcp.close();
  });

  test("omit disabled tools, and report an unknown one", async () => {
    const problems: string[] = [];
    const onProblem = ({ message }: Error) => problems.push(message);
    const disabled = await connectMcp({ ours: { ...ours(), disabledTools: ["hello"] } }, { onProblem });
    expect(disabled.tools).toEqual([]);
    expect(problems).toEqual([]);
    await disabled.close();
    const mistyped = await connectMcp({ ours: { ...ours(), disabledTools: ["helo"] } }, { onProblem });
    expect(mistyped.tools).toHaveLength(1);
    expect(problems).toEqual([expect.stringMatching(/no tool "helo".*`disabledTools`.*did you mean "hello"\?/i)]);
    await mistyped.close();
  });

  test.each<[unknown, RegExp]>([
    [{ a: { command: "node", disabledTools: "x" } }, /its `disabledTools` are not a list of texts/],
    [{ a: { comand: "node" } }, /has `comand`\. Did you mean "command"\?$/],
    [{ a: { command: "node", arg: [] } }, /there is no `arg`\. Did you mean "args"\?$/],
    [{ a: { command: "node", headers: {} } }, /`headers` is not for a server with `command`/],
    [{ a: { url: "http://a.b", args: [] } }, /`args` is not for a server with `url`/],
    [{ a: { url: "http://a.b", headers: [] } }, /`headers` are not an object/],
    [{ a: { url: "http://a.b", type: "websocket" } }, /its `type` is "stdio", "http".*not "websocket"/],
    [{ a: { command: "node", timeout: 60 } }, /`timeout`, in milliseconds, is an option of connectMcp/],
    [{ a: { url: "ftp://a.b" } }, /its `url` begins with ftp:, not with http: or https:/],
    [{ a: { url: "http://ann:secret@a.b" } }, /its `url` contains a user name or a password.*`headers\.Authorization`/],
    [{ a: { url: "http://a.b", headers: { key: "secret\nx" } } }, /its header "key" is not a text that HTTP can carry/],
    [{ a: { url: "http://a.b", headers: { key: undefined } } }, /its header "key" is not a text/],
    [{ a: { url: "http://a.b", headers: { "a b": "secret" } } }, /its header "a b" is not a text/],
    [{ a: { url: "http://a.b", fetch: 5 } }, /its `fetch` is not a function/],
    [{ a: { url: "http://a.b", authProvider: 5 } }, /its `authProvider` is not an object/],
    [{ a: { url: "http://a.b", authorizationCode: "x" } }, /its `authorizationCode` is not a function/],
    [{ a: { command: "node", env: { PORT: 80 } } }, /its `env\.PORT` is not a text/],
    [{ a: { command: "node", cwd: 5 } }, /its `cwd` is not a text/],
    [{ a: { command: "node", disabled: "true" } }, /its `disabled` is neither true nor false/],
    [{ a: { command: "node", optional: "false" } }, /its `optional` is neither true nor false/],
    [{ mcpServers: { a: 1 } }, /"a" has a wrong configuration: it is not an object/],
    ["files", /Servers must be an object by name/],
  ])("with a wrong configuration are refused at once: %j", async (servers, message) => {
    await expect(connectMcp(servers as McpServers)).rejects.toMatchObject({ code: "bad-config" });
    await expect(connectMcp(servers as McpServers)).rejects.toThrow(message);
    await expect(connectMcp(servers as McpServers)).rejects.not.toThrow(/secret/);
  });

  test("whose function returns no transport cannot be reached", async () => {
    const servers = { a: { transport: () => undefined as never } };
    await expect(connectMcp(servers)).rejects.toMatchObject({
      name: "McpServerError",
      code: "unreachable",
      message: expect.stringContaining("its `transport` returned no transport"),
    });
  });

  test.each<[object, RegExp]>([
    [{ timout: 1 }, /no "timout" in the options of connectMcp\. Did you mean "timeout"/],
    [{ onElicits: () => {} }, /Did you mean "onElicit"/],
    [{ prefix: "never" }, /`prefix` is "clash" or "always", not "never"/],
    [{ roots: [null] }, /A root must be a path, a file: URL or \{ uri, name \}, not null/],
    [{ roots: [5] }, /not 5/],
    [{ roots: ["https://a.b/c"] }, /a path or a file: URL, not "https/],
    [{ timeout: 2 ** 31 }, /`timeout` is a whole number from 1 to 2147483647, not 2147483648/],
    [{ timeout: Number.POSITIVE_INFINITY }, /`timeout` is a whole number from 1 to 2147483647/],
    [{ media: "images" }, /"text" or "blocks"/],
  ])("with unknown options are not connected to: %j", async (options, message) => {
    await expect(connectMcp({}, options)).rejects.toThrow(message);
  });
});
