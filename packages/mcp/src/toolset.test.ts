import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { everything, isAlive, moody, named, pidOf, run } from "../test/toolsets.js";
import {
  connectMcp,
  createMcpServer,
  type McpOptions,
  type McpServerConfig,
  McpServerError,
  type McpToolset,
} from "./index.js";

const opened: McpToolset[] = [];
async function connect(servers: Record<string, McpServerConfig>, options: McpOptions = {}) {
  const toolset = await connectMcp(servers, { onProblem: () => {}, ...options });
  opened.push(toolset);
  return toolset;
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((toolset) => toolset.close()));
});

test("a server is sent the client's name, in this package's version", async () => {
  const server = createMcpServer([], { name: "asked", version: "1" });
  const transport = () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    void server.connect(theirs);
    return ours;
  };
  await connect({ asked: { transport } });
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(server.getClientVersion()).toEqual({ name: "toolingua", version });
});

describe("the reference server", () => {
  test("lists its tools with descriptions, schemas and annotations", async () => {
    const toolset = await connect({ everything });
    expect(named(toolset, "get-sum")).toMatchObject({
      server: "everything",
      toolName: "get-sum",
      description: expect.stringContaining("sum"),
      parameters: { type: "object", required: ["a", "b"] },
      annotations: { readOnlyHint: true },
    });
    expect(await run(named(toolset, "get-sum"), { a: 2, b: 3 })).toContain("5");
    expect(await run(named(toolset, "echo"), { message: "häng <b>" })).toContain("häng <b>");
  });

  test("returns structured content once, as data", async () => {
    const toolset = await connect({ everything });
    const tool = named(toolset, "get-structured-content");
    expect(tool.resultSchema).toMatchObject({ type: "object" });
    expect(await run(tool, { location: "Chicago" })).toEqual({
      conditions: expect.any(String),
      humidity: expect.any(Number),
      temperature: expect.any(Number),
    });
  });

  test("returns images and resources with their types", async () => {
    const toolset = await connect({ everything });
    expect(await run(named(toolset, "get-tiny-image"))).toMatch(/\[image: image\/png, \d+ KB, cannot be shown\]/);
    const { content } = await named(toolset, "get-tiny-image").call({});
    expect(content).toContainEqual(expect.objectContaining({ type: "image", data: expect.any(String) }));
    expect(await run(named(toolset, "get-resource-links"), { count: 2 })).toMatch(
      /\[resource demo:\/\/.+\n.*\[resource/,
    );
    const text = { resourceType: "Text", resourceId: 1 };
    expect(await run(named(toolset, "get-resource-reference"), text)).toMatch(/\[resource demo:[^\]]+\]\n\S/);
  });

  test("passes its message about wrong arguments to the model", async () => {
    const toolset = await connect({ everything });
    const error = await run(named(toolset, "get-sum"), { a: "x" });
    expect(error).toMatchObject({ code: "tool-failed", server: "everything", tool: "get-sum" });
    expect((error as Error).message).toMatch(/number/);
  });
});

describe("the filesystem server", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolingua-mcp-"));
  const server = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
  const files: McpServerConfig = { command: process.execPath, args: [server, folder] };
  writeFileSync(join(folder, "note.txt"), "Milk.\n");
  writeFileSync(join(folder, "dot.png"), Buffer.alloc(3000, 1));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("reads and writes files, each shown once", async () => {
    const toolset = await connect({ files });
    expect(await run(named(toolset, "read_text_file"), { path: "note.txt" })).toBe("Milk.\n");
    expect(await run(named(toolset, "read_media_file"), { path: "dot.png" })).toBe(
      "[image: image/png, 3 KB, cannot be shown]",
    );
    await run(named(toolset, "write_file"), { path: "new.txt", content: "Eggs." });
    expect(readFileSync(join(folder, "new.txt"), "utf8")).toBe("Eggs.");
    const outside = await run(named(toolset, "read_text_file"), { path: "/etc/passwd" });
    expect(outside).toMatchObject({ code: "tool-failed", message: expect.stringContaining("Access denied") });
  });
});

describe("a toolset", () => {
  test("has all pages of a server's tools, except invalid ones, which are reported", async () => {
    const problems: McpServerError[] = [];
    const toolset = await connect({ moody: moody() }, { onProblem: (problem) => problems.push(problem) });
    expect(toolset.tools.map(({ name }) => name)).toEqual(["one", "two", "odd"]);
    expect(problems.map(({ code, tool }) => [code, tool])).toEqual([
      ["bad-tool", "bad"],
      ["bad-tool", "odd"],
    ]);
  });

  test.each([
    ["forever", 3],
    ["endless", 1000],
  ])("has the beginning of an endless list, and reports it: %s", async (mood, size) => {
    const problems: McpServerError[] = [];
    const toolset = await connect({ moody: moody(mood) }, { onProblem: (problem) => problems.push(problem) });
    expect(toolset.tools).toHaveLength(size);
    expect(problems).toContainEqual(
      expect.objectContaining({ code: "invalid-result", message: expect.stringContaining("does not end") }),
    );
  });

  test("has a tool with true or false as a property's schema", async () => {
    const { tools } = await connect({ moody: moody("lax") });
    expect(tools.map(({ name }) => name)).toEqual(["lax"]);
    const give = { content: [], structuredContent: { a: [1] } };
    expect(await run(tools[0]!, { give })).toEqual({ a: [1] });
  });

  test("prefixes the server to duplicate names, or to all", async () => {
    const both = await connect({ "left side": moody(), right: moody() });
    expect(both.tools.map(({ name }) => name)).toEqual([
      "left_side__one",
      "left_side__two",
      "left_side__odd",
      "right__one",
      "right__two",
      "right__odd",
    ]);
    expect(await pidOf(named(both, "left_side__one"))).not.toBe(await pidOf(named(both, "right__one")));
    expect(named(both, "right__two")).toMatchObject({ server: "right", toolName: "two" });
    const always = await connect({ only: moody() }, { prefix: "always" });
    expect(always.tools.map(({ name }) => name)).toEqual(["only__one", "only__two", "only__odd"]);
  });

  test("follows changes of a server's tools; unchanged ones stay the same", async () => {
    const onToolsChanged = vi.fn();
    const toolset = await connect({ moody: moody() }, { onToolsChanged });
    const [one, two] = toolset.tools;
    expect(onToolsChanged).not.toHaveBeenCalled();
    await run(one!, { leave: "loudly" });
    await vi.waitFor(() => expect(onToolsChanged).toHaveBeenCalledWith([two]));
    expect(toolset.tools).toEqual([two]);
    expect(await run(one!)).toMatchObject({ code: "tool-gone" });
    expect(await run(two!)).toContain("two");
  });

  test("accepts a signal of another realm", async () => {
    const signal = { aborted: false, throwIfAborted() {}, addEventListener() {}, removeEventListener() {} };
    expect((await connect({}, { signal: signal as never })).tools).toEqual([]);
    await expect(connect({}, { signal: "stop" as never })).rejects.toThrow("`signal` is an AbortSignal");
  });

  test("reports an error of the application's onToolsChanged, whoever noticed the change", async () => {
    const onProblem = vi.fn();
    const error = new Error("the list is read-only");
    const onToolsChanged = () => {
      throw error;
    };
    const toolset = await connect({ moody: moody() }, { onToolsChanged, onProblem });
    const [one] = toolset.tools;
    await run(one!, { leave: "loudly" });
    const problem = { code: "callback-failed", message: expect.stringContaining(error.message), cause: error };
    await vi.waitFor(() => expect(onProblem).toHaveBeenCalledWith(expect.objectContaining(problem)));
    expect(toolset.tools).toHaveLength(1);
  });

  test.each(["refused", "tool-gone"])("reports a removed tool: %s", async (code) => {
    const toolset = await connect({ moody: moody() });
    const tool = named(toolset, "one");
    if (code === "tool-gone") await run(tool, { leave: "quietly" });
    expect(await run(tool, { refuse: true })).toMatchObject({ code, server: "moody", tool: "one" });
    expect(toolset.tools).toHaveLength(code === "tool-gone" ? 1 : 3);
  });

  test("trusts a tool's error that something else was not found", async () => {
    const toolset = await connect({ moody: moody() });
    const tool = named(toolset, "one");
    await run(tool, { leave: "quietly" });
    const give = { isError: true, content: [{ type: "text", text: "file not found" }] };
    expect(await run(tool, { give })).toMatchObject({ code: "tool-failed", message: "file not found" });
    expect(toolset.tools).toHaveLength(3);
  });

  test("can be aborted while it checks whether a tool still exists", async () => {
    const tool = named(await connect({ moody: moody("shy") }), "one");
    const signal = AbortSignal.timeout(500);
    const error = await Promise.resolve(run(tool, { refuse: true }, signal)).catch((reason) => reason);
    expect(error).toBe(signal.reason);
  });

  test("keeps the reason of a failure that is reported as data only", async () => {
    const tool = named(await connect({ moody: moody() }), "one");
    const give = { isError: true, content: [], structuredContent: { why: "disk full" } };
    expect(await run(tool, { give })).toMatchObject({ code: "tool-failed", message: '{"why":"disk full"}' });
  });

  test("reports that a server died during the call, and starts it again for the next", async () => {
    const toolset = await connect({ moody: moody() });
    const tool = named(toolset, "one");
    const first = await pidOf(tool);
    const error = await run(tool, { die: true });
    expect(error).toBeInstanceOf(McpServerError);
    expect(error).toMatchObject({ code: "connection-lost", message: expect.stringContaining("the mood is fine") });
    const second = await pidOf(tool);
    expect(isAlive(first)).toBe(false);
    expect(second).not.toBe(first);
  });

  test.each([-32000, -32001])("distinguishes a server's own error %d from a lost connection", async (own) => {
    const tool = named(await connect({ moody: moody() }), "one");
    expect(await run(tool, { own })).toMatchObject({ code: "refused", message: expect.stringMatching(/over quota$/) });
  });

  test("reports briefly that a result violates the protocol", async () => {
    const error = await run(named(await connect({ moody: moody() }), "one"), { odd: true });
    expect(error).toMatchObject({ code: "invalid-result", message: expect.stringMatching(/content\/0/) });
    expect((error as Error).message.length).toBeLessThan(150);
  });

  test("does not send values that are not JSON", async () => {
    const tool = named(await connect({ moody: moody() }), "one");
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const [args, why] of [
      [circle, /^.{10,150}: arguments\.self.{1,120} is more than 500 levels deep, or contains itself\.$/],
      [{ n: 1n }, /arguments\.n is a bigint\.$/],
      [{ a: { c: Number.NaN } }, /arguments\.a\.c is NaN\.$/],
      [{ c: Number.POSITIVE_INFINITY }, /arguments\.c is Infinity\.$/],
      [{ list: [new Map([["a", 1]])] }, /arguments\.list\[0\] is a Map\.$/],
      [null as never, /they are not an object\.$/],
    ] as const) {
      const message = expect.stringMatching(why);
      expect(await run(tool, args)).toMatchObject({ code: "invalid-arguments", tool: "one", message });
    }
    expect(await run(tool)).toContain("one");
  });

  test("reports that it was closed during a call", async () => {
    const toolset = await connect({ moody: moody() });
    const running = run(named(toolset, "one"), { hang: true });
    await run(named(toolset, "two"));
    await toolset.close();
    expect(await running).toMatchObject({ code: "closed" });
  });

  test("gives a tool an alias if its name cannot be written in every protocol", async () => {
    const problems: McpServerError[] = [];
    const toolset = await connect({ moody: moody("poet") }, { onProblem: (problem) => problems.push(problem) });
    expect(toolset.tools.map(({ name, toolName }) => [toolName, name])).toEqual([
      ["find files", "moody__find_files"],
      ["find_files", "find_files"],
      ["<b>", "_b_"],
      ["party🎉", "party_"],
    ]);
    expect(problems.map(({ code, tool }) => [code, tool])).toEqual([
      ["bad-tool", "find files"],
      ["bad-tool", "<b>"],
      ["bad-tool", "party🎉"],
      ["bad-tool", ""],
    ]);
    expect(await run(named(toolset, "moody__find_files"))).toContain("find files in");
  });

  test.each([
    [{ cmd: "node" }, /`cmd`/],
    [{}, /nothing/],
    [{ command: "" }, /empty/],
    [{ command: "node", args: "server.js" }, /`args`/],
    [{ transport: {}, optional: true }, /`transport`/],
    [{ url: "" }, /`url`/],
    [{ url: "nowhere" }, /`url`/],
    [undefined, /object/],
  ])("reports at once what is wrong with a configuration: %j", async (wrong, why) => {
    const failed = await connectMcp({ config: wrong as never }).catch((reason) => reason);
    expect(failed).toBeInstanceOf(McpServerError);
    expect(failed).toMatchObject({ code: "bad-config", server: "config", message: expect.stringMatching(why) });
  });

  test("adds structured content to a text that does not contain it", async () => {
    const toolset = await connect({ moody: moody() });
    expect(await run(named(toolset, "one"), { lie: true })).toBe('Nothing here\n{"found":0}');
  });

  test("accepts a result that is nested too deep", async () => {
    const toolset = await connect({ moody: moody() }, { timeout: 5000 });
    const found = await run(named(toolset, "one"), { dig: true });
    // Node.js 26 writes JSON of any depth.
    if (typeof found === "string") expect(found).toContain('{"a":{"a":');
    else expect(found).toMatchObject({ code: "invalid-result" });
    expect(await run(named(toolset, "one"))).toContain("one");
  });

  test.each([
    [
      "that does not exist",
      { command: "no-such-command-anywhere" },
      /there is no program "no-such-command-anywhere" \(ENOENT\)/,
    ],
    [
      "whose folder does not exist",
      { command: "node", cwd: "/no/such" },
      /no program "node", or no folder "\/no\/such"/,
    ],
    ["that ends at once", moody("dead"), /the mood is dead/],
    ["that cannot be started", { command: "node", args: ["\0"] }, /null bytes/],
    ["whose transport cannot be made", { transport: () => new StdioClientTransport(JSON.parse("{")) }, /JSON/],
    ["where no one listens", { url: "http://127.0.0.1:9/mcp" }, /fetch failed/],
  ] as [string, McpServerConfig, RegExp][])("fails with a server %s", async (_, config, why) => {
    const failed = await connectMcp({ config }, { timeout: 5000, onProblem: () => {} }).catch((reason) => reason);
    expect(failed).toBeInstanceOf(McpServerError);
    expect(failed).toMatchObject({ code: "unreachable", server: "config", message: expect.stringMatching(why) });
  });

  test("fails without one of its servers, and closes the others", async () => {
    const gone = new URL("file:///no/such/folder");
    const servers = { fine: moody(), config: { command: process.execPath, args: [gone.pathname] } };
    const failed = await connectMcp(servers).catch((reason) => reason);
    expect(failed).toMatchObject({
      code: "unreachable",
      server: "config",
      message: expect.stringContaining("Cannot find"),
    });
  });

  test("continues without an optional server", async () => {
    const onProblem = vi.fn();
    const toolset = await connect({ moody: moody(), gone: { ...moody("dead"), optional: true } }, { onProblem });
    expect(toolset.tools.map(({ server }) => server)).toEqual(["moody", "moody", "moody"]);
    expect(onProblem).toHaveBeenCalledWith(expect.objectContaining({ code: "unreachable", server: "gone" }));
  });

  test("can be aborted while it connects", async () => {
    const signal = AbortSignal.timeout(300);
    const error = await connectMcp({ silent: moody("silent") }, { signal }).catch((reason) => reason);
    expect(error).toBe(signal.reason);
  });
});
