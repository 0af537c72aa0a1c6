import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, choice, definition, messages } from "../../test/support/arbitrary-conversation.js";
import {
  canonicalTool,
  differences,
  rearranged,
  unexplained,
  withoutEmpty,
  withoutUnrequired,
} from "../../test/support/explained-losses.js";
import { runs } from "../../test/support/runs.js";
import type { ChatMessage, ToolCall, ToolDefinition } from "../types.js";
import {
  type Conversation,
  type Converted,
  conversationFromJson,
  conversationFromYaml,
  conversationToJson,
  conversationToYaml,
  type GivenConversation,
  providers,
} from "./index.js";

// The law: reading back returns the same, except for the reported losses.

const most = runs(1000);

/** What every provider's module does, whatever its shapes are. */
interface AnyProvider {
  toTools(tools: readonly ToolDefinition[]): Converted<unknown>;
  fromTools(tools: unknown): Converted<ToolDefinition[]>;
  toCalls(calls: readonly ToolCall[]): Converted<unknown>;
  fromCalls(calls: unknown): Converted<ToolCall[]>;
  toRequest(conversation: GivenConversation): Converted<unknown>;
  fromRequest(request: unknown, options?: { tools: readonly { name: string }[] }): Converted<Conversation>;
}
const all = Object.entries(providers) as unknown as [string, AnyProvider][];

const called = (message: ChatMessage): { name: string }[] => {
  if (message.role === "tool") return [{ name: message.name }];
  return message.role === "assistant" ? (message.toolCalls ?? []) : [];
};

const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** One property for all providers, since making up the conversations takes the most time. */
describe("every provider", () => {
  it(`gives back ${most.numRuns} random definitions, but for the losses it reports`, () => {
    const law = fc.property(definition, (tool) => {
      const wrong = all.flatMap(([name, provider]) => {
        const written = provider.toTools([tool]);
        const read = provider.fromTools(overTheWire(written.value));
        const found = differences([withoutUnrequired(tool, written.losses)], read.value.map(canonicalTool));
        return [...unexplained(found, written.losses), ...read.losses].map((one) => [name, one]);
      });
      expect(wrong).toEqual([]);
    });
    fc.assert(law, most);
  }, 120_000);

  it(`gives back ${most.numRuns} random conversations, but for the losses it reports`, () => {
    const law = fc.property(messages, choice, (said, toolChoice) => {
      const tools = [...said.flatMap(called), { name: typeof toolChoice === "string" ? "" : toolChoice.name }];
      const wrong = all.flatMap(([name, provider]) => {
        const written = provider.toRequest({ messages: said, toolChoice });
        const read = provider.fromRequest(overTheWire(written.value), { tools });
        if (written.losses.some(({ what }) => what === "system" || what === "toolCalls")) {
          const found = differences(rearranged(said, written.losses), rearranged(read.value.messages, written.losses));
          return found.map((one) => [name, one]);
        }
        const losses = [...written.losses, ...read.losses];
        const kept = withoutEmpty(said, losses);
        const found = differences({ messages: kept.messages, toolChoice }, read.value);
        return unexplained(found, kept.losses).map((one) => [name, one]);
      });
      expect(wrong).toEqual([]);
    });
    fc.assert(law, most);
  }, 120_000);

  it("writes again what it read, unchanged", () => {
    const law = fc.property(messages, fc.array(definition, { maxLength: 2 }), (said, tools) => {
      const requests = all.map(([, provider]) => provider.toRequest({ messages: said, tools }).value);
      const again = all.map(([, provider], i) => provider.toRequest(provider.fromRequest(requests[i]).value).value);
      expect(again).toEqual(requests);
    });
    fc.assert(law, { numRuns: 300 });
  });

  it("reads separate calls back unchanged", () => {
    const law = fc.property(fc.array(call), (calls) => {
      const wrong = all.flatMap(([name, provider]) => {
        const { value, losses } = provider.toCalls(calls);
        return unexplained(differences(calls, provider.fromCalls(value).value), losses).map((one) => [name, one]);
      });
      expect(wrong).toEqual([]);
    });
    fc.assert(law, { numRuns: 300 });
  });
});

describe.each([
  ["JSON", conversationToJson, conversationFromJson],
  ["YAML", conversationToYaml, conversationFromYaml],
] as const)("a log in %s", (_, write, read) => {
  it("reads every conversation back unchanged", () => {
    fc.assert(
      fc.property(
        messages,
        fc.option(fc.array(definition, { maxLength: 2 }), { nil: undefined }),
        choice,
        (said, tools, toolChoice) => {
          const conversation = { messages: said, ...(tools && { tools }), toolChoice };
          const written = write(conversation);
          expect(written.losses).toEqual([]);
          expect(read(written.value)).toEqual({ value: conversation, losses: [] });
        },
      ),
      { numRuns: 200 },
    );
  });
});
