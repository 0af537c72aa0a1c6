import { expect, it } from "vitest";
import type { TraceEvent } from "../../src/index.js";

const call = (input: unknown) => `<tool_call>\n${JSON.stringify({ name: "ping", arguments: input })}\n</tool_call>`;

/**
 * The test of an adapter's `onTrace`. `ask` asks an agent "Ping?". The agent has one tool, `ping` ("Pings"), and a model of the
 * protocol `hermes` that gives these replies in turn.
 */
export function itTraces(ask: (replies: string[], onTrace: (event: TraceEvent) => void) => Promise<unknown>): void {
  it("onTrace receives the requests, raw replies and retries of each turn, in an agent", async () => {
    const events: TraceEvent[] = [];
    const replies = [call("no object"), call({}), "Pong."];
    await ask(replies, (event) => events.push(event));
    const of = <T extends TraceEvent["type"]>(type: T) =>
      events.filter((event): event is Extract<TraceEvent, { type: T }> => event.type === type);
    expect(of("request").map(({ attempt }) => attempt)).toEqual([1, 2, 1]);
    expect(of("request")[0]?.request.messages[0]?.content).toContain("Pings");
    expect(of("reply").map(({ raw }) => raw)).toEqual(replies);
    expect(of("retry")).toMatchObject([{ calls: [{ name: "ping" }], tool: "ping" }]);
    expect(of("end")).toHaveLength(2);
  });
}
