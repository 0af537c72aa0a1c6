import { afterAll, describe, expect, test, vi } from "vitest";
import { everything, isAlive, moody, named, pidOf, run } from "../test/toolsets.js";
import { connectMcp, type McpOptions, type McpServerConfig, McpServerError, type McpToolset } from "./index.js";

// What takes seconds, because a server or a timeout does: the tests wait at the same time.

const opened: McpToolset[] = [];
async function connect(servers: Record<string, McpServerConfig>, options: McpOptions = {}) {
  const toolset = await connectMcp(servers, { onProblem: () => {}, ...options });
  opened.push(toolset);
  return toolset;
}
afterAll(() => Promise.all(opened.map((toolset) => toolset.close())));

describe.concurrent("a toolset whose servers are slow", { timeout: 120_000 }, () => {
  test("reports the progress of a call, which prevents its timeout", async () => {
    const onProgress = vi.fn();
    const toolset = await connect({ everything }, { onProgress, timeout: 6000 });
    const result = await run(named(toolset, "trigger-long-running-operation"), { duration: 9, steps: 6 });
    expect(result).toContain("completed");
    expect(onProgress.mock.calls.map(([{ progress, total }]) => [progress, total])).toEqual(
      expect.arrayContaining([
        [1, 6],
        [2, 6],
        [3, 6],
      ]),
    );
    expect(onProgress.mock.calls[0]?.[0]).toMatchObject({ server: "everything", toolCallId: "call_1" });
  });

  test("is notified when the call is aborted", async () => {
    const toolset = await connect({ everything });
    const reason = new Error("enough");
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 100);
    const tool = named(toolset, "trigger-long-running-operation");
    await expect(run(tool, { duration: 60, steps: 1 }, controller.signal)).rejects.toBe(reason);
    await expect(run(tool, {}, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test("runs a tool that works as a task", async () => {
    const toolset = await connect({ everything });
    expect(await run(named(toolset, "simulate-research-query"), { topic: "whales" })).toContain("whales");
  });

  test("waits for a server that writes invalid lines and then is busy", async () => {
    const tool = named(await connect({ moody: moody() }), "one");
    expect(await run(tool, { think: 8000 })).toBe("thought");
  });

  test("reports a timeout", async () => {
    const toolset = await connect({ moody: moody() }, { timeout: 6000 });
    expect(await run(named(toolset, "one"), { hang: true })).toMatchObject({ code: "timeout" });
    expect(await run(named(toolset, "one"))).toContain("one");
  });

  test("fails with a server that says nothing", async () => {
    const failed = await connectMcp({ config: moody("silent") }, { timeout: 8000 }).catch((reason) => reason);
    expect(failed).toBeInstanceOf(McpServerError);
    expect(failed).toMatchObject({
      code: "unreachable",
      server: "config",
      message: expect.stringMatching(/no answer within 8 s \(`timeout` sets the limit\)[\s\S]*the mood is silent/),
    });
  });

  test("leaves no process, not even one that ignores its end", async () => {
    const toolset = await connect({ fine: moody(), obstinate: moody("obstinate") });
    const pids = await Promise.all([pidOf(named(toolset, "fine__one")), pidOf(named(toolset, "obstinate__one"))]);
    expect(pids.map(isAlive)).toEqual([true, true]);
    await toolset.close();
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(await run(named(toolset, "fine__one"))).toMatchObject({ code: "closed" });
  });
});
