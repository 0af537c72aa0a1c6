import type { TextModel } from "@toolingua/core";
import { ToolConversation } from "@toolingua/core/conversation";
import { describe } from "vitest";
import * as z from "zod";
import { describeReadme } from "../../../test/support/readme-examples.js";
import * as tools from "../src/index.js";

// The examples of the README and of docs/tools.md, word for word; only the model is a scripted one.

/** Calls the tool, then answers by its result. */
const model: TextModel = async function* ({ messages }) {
  const isCalled = messages.at(-1)?.content.includes("Oslo: sun for 1 day(s)");
  yield isCalled ? "Yes, the sun shines in Oslo." : "<forecast><city>Oslo</city></forecast>";
};

for (const [page, count] of Object.entries({ "../README.md": 1, "../../../docs/tools.md": 5 }))
  describe(page, () =>
    describeReadme(new URL(page, import.meta.url), {
      count,
      scope: { ...tools, z: z.z, ToolConversation, chatEndpoint: () => model },
    }),
  );
