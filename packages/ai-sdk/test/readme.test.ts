import * as toolkit from "@toolingua/tools";
import * as ai from "ai";
import { z } from "zod";
import { describeReadme } from "../../../test/support/readme-examples.js";
import * as aiSdk from "../src/index.js";
import { call, ScriptedModel } from "./scripted-model.js";

// The examples of the README, word for word; only the models are scripted ones.

const embedded = { provider: "toolingua.llama-cpp", modelId: "gemma-3-270m-it" };
const replies = [call("add", { a: 17, b: 25 })];
const served = [
  ["<weather><city>Oslo</city></weather>", "The sun shines in Oslo."],
  ['<tool_call>\n<name>open</name>\n<arguments>{"title": "Leak"}</arguments>\n</tool_call>'],
];

describeReadme(new URL("../README.md", import.meta.url), {
  count: 3,
  scope: {
    ...ai,
    ...aiSdk,
    z,
    method: toolkit.tool,
    ToolSpec: toolkit.ToolSpec,
    createOpenAICompatible: () => (modelId: string) => new ScriptedModel({ modelId, replies: served.shift() ?? [] }),
    EmbeddedChatModel: class extends ScriptedModel {
      constructor() {
        super({ ...embedded, replies });
      }
      async dispose() {}
    },
  },
});
