import { afterEach, describe, expect, it, vi } from "vitest";
import { call, scripted, turnOf } from "../../test/support/scripted-turn.js";
import type { TraceEvent } from "./trace.js";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function traced(replies: Parameters<typeof scripted>, options: Parameters<typeof turnOf>[1] = {}) {
  const trace: TraceEvent[] = [];
  const turn = turnOf(scripted(...replies).model, { ...options, onTrace: (event) => trace.push(event) });
  await turn.result().catch(() => {});
  return trace;
}

describe("the trace of a turn", () => {
  it("says that a constraint does not apply, because the server enforces none for the format", async () => {
    const unconstrained = async (options: Parameters<typeof turnOf>[1]) => {
      const [request] = await traced([call({ a: 2, b: 3 })], options);
      return request?.type === "request" && request.isUnconstrained;
    };
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    vi.stubEnv("TOOLINGUA_DEBUG", "1");
    expect(await unconstrained({ constraint: "auto", backend: "openai" })).toBe(true);
    expect(printed.mock.calls.flat().join("\n")).toContain(
      "not constrained: the server enforces no constraint for hermes",
    );
    printed.mockClear();
    expect(await unconstrained({ constraint: "auto" })).toBeUndefined();
    expect(await unconstrained({ constraint: "auto", backend: "openai", protocol: "json-action" })).toBeUndefined();
    expect(await unconstrained({ constraint: "auto", backend: "openai", tools: [] })).toBeUndefined();
    expect(await unconstrained({ backend: "openai" })).toBeUndefined();
    expect(printed.mock.calls.flat().join("\n")).not.toContain("not constrained");
  });

  it("reports the request, the reading and the retry", async () => {
    const trace = await traced([call({ a: "x", b: 3 }), call({ a: 2, b: 3 })], { onInvalidCall: "retry" });
    const types = trace.map(({ type }) => type).filter((type) => type !== "event");
    expect(types).toEqual(["request", "reply", "retry", "request", "reply", "end"]);
    expect(trace.find(({ type }) => type === "retry")).toMatchObject({
      attempt: 1,
      missingCall: false,
      tool: "add",
      calls: [{ error: { code: "invalid-arguments" } }],
    });
    expect(trace.at(-1)).toMatchObject({ type: "end", attempts: 2, ms: expect.any(Number) });
    const read = trace.flatMap((event) => (event.type === "event" ? [event.event.type] : []));
    expect(read).toContain("call-invalid");
    expect(read).toContain("call-end");
  });

  it.each([
    ["there are no tools", call({ a: 2, b: 3 }), { tools: [] }],
    [
      "in another format",
      '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>',
      { accept: "own", protocol: "mistral" },
    ],
    ["code block", `Write it so:\n\n\`\`\`\n${call({ a: 2, b: 3 })}\n\`\`\`\n\nThat is all.`, {}],
    ["block quote or a comment", `Write it so:\n> ${call({ a: 2, b: 3 })}`, {}],
  ] as const)("reports why something was text: %s", async (reason, reply, options) => {
    const trace = await traced([reply], options as never);
    expect(trace.find(({ type }) => type === "reply")).toMatchObject({
      text: [{ reason: expect.stringContaining(reason) }],
    });
  });

  it("reports no reasons if there is only prose", async () => {
    expect((await traced(["Hello."])).find(({ type }) => type === "reply")).toMatchObject({ raw: "Hello.", text: [] });
  });

  it("does not end the turn if its listener throws, and prints why", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const onTrace = () => {
      throw new Error("No trace today.");
    };
    const { toolCalls } = await turnOf(scripted(call({ a: 2, b: 3 })).model, { onTrace }).result();
    expect(toolCalls).toMatchObject([{ arguments: { a: 2, b: 3 } }]);
    expect(printed.mock.calls[0]).toEqual([
      '[toolingua] `onTrace` threw at the event "request":',
      new Error("No trace today."),
    ]);
  });

  it("ends with the error", async () => {
    const trace = await traced(["No.", "No."], { toolChoice: { name: "add" } });
    expect(trace.at(-1)).toMatchObject({ type: "error", error: { code: "tool-choice-unmet" } });
  });

  it("goes to the console if the environment asks for it", async () => {
    const lines = vi.spyOn(console, "error").mockImplementation(() => {});
    await turnOf(scripted("Hi.").model).result();
    expect(lines).not.toHaveBeenCalled();
    vi.stubEnv("TOOLINGUA_DEBUG", "1");
    await turnOf(scripted("Hi.").model).result();
    const written = lines.mock.calls.flat().join("\n");
    expect(written).toContain("[toolingua] request 1 (hermes)");
    expect(written).toContain("[toolingua] Hi.");
  });

  it("cannot steer the terminal by what a model writes to the console", async () => {
    const lines = vi.spyOn(console, "error").mockImplementation(() => {});
    vi.stubEnv("TOOLINGUA_DEBUG", "1");
    await turnOf(scripted("Hi\u001b[2J\u009b5m\r\u202e\tthere.").model).result();
    expect(lines.mock.calls.flat().join("\n")).toContain("[toolingua] Hi\\u001b[2J\\u009b5m\\u000d\\u202e\tthere.");
  });
});
