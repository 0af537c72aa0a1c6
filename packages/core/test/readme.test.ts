import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loopbackServer } from "../../../test/support/loopback-server.js";
import { describeReadme } from "../../../test/support/readme-examples.js";
import * as conversation from "../src/conversation/index.js";
import * as grammar from "../src/grammar/index.js";
import * as core from "../src/index.js";
import * as hermes from "../src/protocols/hermes.js";
import * as mistral from "../src/protocols/mistral.js";
import * as providers from "../src/providers/index.js";
import * as reply from "../src/reply/index.js";

// The README and the pages of docs/ on the core. The server answers as a model without tools of its own does.

const port = await loopbackServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  const call = { name: "get_weather", arguments: { city: "Oslo" } };
  const content = body.includes("Sun in Oslo")
    ? "The sun shines in Oslo."
    : `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`;
  response.end(
    JSON.stringify({ choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }] }),
  );
});

const docs = "../../../docs";
const folder = new URL(`${docs}/`, import.meta.url);
const pages = {
  "../README.md": 3,
  [`${docs}/replies.md`]: 5,
  [`${docs}/untrusted-text.md`]: 2,
  [`${docs}/grammars.md`]: 1,
  [`${docs}/provider-formats.md`]: 2,
};
for (const [page, count] of Object.entries(pages))
  describe(page, () =>
    describeReadme(new URL(page, import.meta.url), {
      count,
      scope: { ...core, ...conversation, ...grammar, ...providers },
      entries: {
        "@toolingua/core/reply": reply,
        "@toolingua/core/protocols/hermes": hermes,
        "@toolingua/core/protocols/mistral": mistral,
      },
      edit: (example) => example.replace("localhost:11434", `127.0.0.1:${port}`),
    }),
  );

/** Their blocks are parts of files. */
const partsOfFiles = ["adding-a-protocol.md", "from-ai-sdk-tool-parser.md"];
/** The test of their package runs them. */
const ofOthers = ["ai-sdk.md", "langchain.md", "mcp.md", "pml.md", "tools.md"];

it("runs every page of docs/ that has an example", () => {
  const withExamples = readdirSync(folder).filter(
    (name) => name.endsWith(".md") && readFileSync(new URL(name, folder), "utf8").includes("```ts\n"),
  );
  const run = Object.keys(pages).flatMap((page) => (page.startsWith(docs) ? [page.slice(docs.length + 1)] : []));
  expect(withExamples.sort()).toEqual([...run, ...partsOfFiles, ...ofOthers].sort());
});
