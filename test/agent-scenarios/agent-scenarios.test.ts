import type { ProtocolName } from "@toolingua/core";
import { describe, expect, it } from "vitest";
import { runOnAiSdk } from "./ai-sdk.js";
import { runOnConversation } from "./conversation.js";
import { runOnCore } from "./core.js";
import { runOnLangChain } from "./langchain.js";
import { runOnLlamaIndex } from "./llamaindex.js";
import { scenarios } from "./scenarios.js";

// The same ten scenarios on every framework, on a model that only writes text.

const frameworks = {
  core: runOnCore,
  ToolConversation: runOnConversation,
  LangChain: runOnLangChain,
  LlamaIndex: runOnLlamaIndex,
  "the AI SDK": runOnAiSdk,
};
const protocols: ProtocolName[] = ["xml", "am-xml", "hermes", "mistral"];

describe.each(Object.entries(frameworks))("an agent on %s", (_, run) => {
  describe.each(scenarios)("copes with $name", (scenario) => {
    const { runs, answer, requests, told = [] } = scenario.expected;
    it.each(protocols.flatMap((protocol) => [false, true].map((stream) => ({ protocol, stream }))))(
      "in $protocol, streamed: $stream",
      async ({ protocol, stream }) => {
        const outcome = await run({ scenario, protocol, stream });
        expect(outcome.answer).toEqual(answer);
        expect(outcome.runs).toEqual(runs);
        expect(outcome.requests).toHaveLength(requests);
        for (const text of told) expect(outcome.requests.at(-1)).toContain(text);
      },
    );
  });
});

it("are the ten of the table", () => {
  expect(scenarios).toHaveLength(10);
});
