import * as toolkit from "@toolingua/tools";
import * as ai from "ai";
import { describe } from "vitest";
import { z } from "zod";
import { describeReadme } from "../../../test/support/readme-examples.js";
import * as aiSdk from "../src/index.js";
import { call, ScriptedModel } from "./scripted-model.js";

// The examples of the README and of docs/ai-sdk.md, word for word; only the models are scripted ones.

const embedded = {
  provider: "toolingua.llama-cpp",
  modelId: "gemma-3-270m-it",
  replies: [call("add", { a: 17, b: 25 })],
};

/** How many examples a page has, and what the server's models write in those that ask one, in the order of the page. */
const pages = [
  { page: "../README.md", count: 1, served: [["<weather><city>Oslo</city></weather>", "The sun shines in Oslo."]] },
  {
    page: "../../../docs/ai-sdk.md",
    count: 3,
    served: [
      ["<add><a>17</a><b>25</b></add>", "It is 42."],
      ['<tool_call>\n<name>open</name>\n<arguments>{"title": "Leak"}</arguments>\n</tool_call>'],
    ],
  },
];

for (const { page, count, served } of pages)
  describe(page, () =>
    describeReadme(new URL(page, import.meta.url), {
      count,
      scope: {
        ...ai,
        ...aiSdk,
        z,
        method: toolkit.tool,
        ToolSpec: toolkit.ToolSpec,
        createOpenAICompatible: () => (modelId: string) =>
          new ScriptedModel({ modelId, replies: served.shift() ?? [] }),
        EmbeddedChatModel: class extends ScriptedModel {
          constructor() {
            super(embedded);
          }
          async dispose() {}
        },
      },
    }),
  );
