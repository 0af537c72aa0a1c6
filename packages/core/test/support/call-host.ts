import { Input } from "../../src/notation/input.js";
import { ToolTable } from "../../src/reply/arguments/tool-table.js";
import { CallSequence } from "../../src/reply/calls/call-sequence.js";
import { TextOutput } from "../../src/reply/output/text-output.js";
import type { ReplyEvent, ToolDefinition } from "../../src/types.js";

/** Calls without a source, for what writes to them, and what they are in short. */
export function callHost(tools: readonly ToolDefinition[]) {
  const events: ReplyEvent[] = [];
  const output = new TextOutput(events);
  const calls = new CallSequence(
    new Input(),
    { events, output },
    {
      tools: ToolTable.of(tools),
      opensCalls: () => false,
      generateId: () => "",
      deltas: true,
      stops: new Set(),
      bodies: new Map(),
      isPython: false,
      prefilled: 0,
    },
  );
  /** Ends the last call, and returns the calls that run and the reasons why others do not. */
  const ended = (): unknown[] => {
    if (calls.current) calls.callEnded();
    return events.flatMap((event): unknown[] => {
      if (event.type === "call-end") return [[event.call.name, event.call.arguments]];
      return event.type === "call-invalid" ? [event.call.error.message] : [];
    });
  };
  return { calls, events, output, ended };
}
