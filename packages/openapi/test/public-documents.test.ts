import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { normalizeTools, parseReply, protocols, renderPrompt } from "@toolingua/core";
import { describe, expect, test } from "vitest";
import { openApiTools } from "../src/index.js";

// Large public documents, as npm packages carry them.

const require = createRequire(import.meta.url);
const carried = (name: string, file: string) => join(dirname(require.resolve(`${name}/package.json`)), file);

describe.each([
  ["GitHub (3.0, 3 MB)", carried("@octokit/openapi", "generated/api.github.com.json"), 706],
  ["ReadMe (3.1, 0.6 MB)", carried("@readme/oas-examples", "3.1/json/readme.json"), 54],
  ["Blockfrost (3.0 in YAML, 0.5 MB)", carried("@blockfrost/openapi", "openapi.yaml"), 129],
])("the document of %s", (_, path, operations) => {
  test("has a tool for each operation, with a unique name and a self-contained schema", async () => {
    const problems: string[] = [];
    const tools = await openApiTools(path, { onProblem: ({ message }) => problems.push(message) });
    expect(problems).toEqual([]);
    expect(tools).toHaveLength(operations);
    for (const { name, operation } of tools) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(operation.server).toMatch(/^https:/);
    }
    expect(new Set(tools.map(({ operation }) => `${operation.method} ${operation.path}`)).size).toBe(operations);
    // Throws for a reference that leads nowhere, and for anything else that is no JSON Schema.
    expect(normalizeTools(tools)).toHaveLength(operations);
  });

  test("has tools that a prompt shows and a reply calls", async () => {
    const tools = (await openApiTools(path)).slice(0, 40);
    renderPrompt({ messages: [{ role: "user", content: "Hi." }], tools, protocol: "hermes" });
    for (const { name } of tools) {
      const text = protocols.hermes.renderCalls([{ name, arguments: {} }], { tools });
      const { toolCalls, invalidToolCalls } = parseReply(text, { tools, protocol: "hermes" });
      expect([...toolCalls, ...invalidToolCalls].map((call) => call.name)).toEqual([name]);
    }
  });
});

test("a request to GitHub has the form of GitHub's documentation", async () => {
  const seen: string[] = [];
  const tools = await openApiTools(carried("@octokit/openapi", "generated/api.github.com.json"), {
    fetch: async (url, init) => {
      seen.push(`${init?.method} ${String(url)} ${String(init?.body ?? "")}`);
      return Response.json({ number: 1 });
    },
  });
  const create = tools.find(({ operation }) => operation.operationId === "issues/create")!;
  const args = { owner: "kom", repo: "toolingua", body: { title: "Hello" } };
  expect(await create.execute(args, { toolCallId: "1" })).toEqual({ number: 1 });
  expect(seen).toEqual(['POST https://api.github.com/repos/kom/toolingua/issues {"title":"Hello"}']);
});
