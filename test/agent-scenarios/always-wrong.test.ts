import { expect, it } from "vitest";
import { runOnAiSdk } from "./ai-sdk.js";
import { runOnConversation } from "./conversation.js";
import { runOnCore } from "./core.js";
import { runOnLangChain } from "./langchain.js";
import { runOnLlamaIndex } from "./llamaindex.js";
import type { Scenario } from "./scenarios.js";

// What a model costs that calls a tool wrongly whatever it is told. Its first call is asked for again twice; after a step of wrong
// calls the framework's own loop is the retry.

const wrong: Scenario = {
  name: "always wrong",
  replies: Array.from({ length: 60 }, () => ({ calls: [{ name: "add", arguments: { a: "two", b: 3 } }] })),
  expected: { runs: [], answer: undefined, requests: 0 },
};

it.each([
  // The loop ends, because the turn has no call that could run.
  ["core", runOnCore, 3],
  ["ToolConversation", runOnConversation, 3],
  ["LlamaIndex", runOnLlamaIndex, 3],
  // Each call is answered with its error. The framework's limit of steps ends the loop: 13 (25 nodes of a graph), and 20. In the
  // AI SDK the call streams, and what was sent cannot be asked for again.
  ["LangChain", runOnLangChain, 15],
  ["the AI SDK", runOnAiSdk, 20],
] as const)("a model that is always wrong is asked a few times on %s", async (_, run, most) => {
  for (const stream of [false, true]) {
    const { runs, requests } = await run({ scenario: wrong, protocol: "hermes", stream });
    expect(runs).toEqual([]);
    expect({ stream, requests: requests.length }).toEqual({ stream, requests: most });
  }
});
