import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { call, type Reply, ScriptedTextModel } from "./scripted-text-model.js";

// The examples of the README and of docs/langchain.md, word for word: each runs unchanged. Only the classes of models give back
// scripted ones. That they compile is checked by test/readmes.test.ts.

const here = fileURLToPath(new URL(".", import.meta.url));
const pages = ["../README.md", "../../../docs/langchain.md"].map((page) => readFileSync(join(here, page), "utf8"));
const examples = [...pages.join("\n").matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);

let replies: Reply[] = [];
class Scripted extends ScriptedTextModel {
  constructor() {
    super({ replies });
  }
  override get callKeys() {
    return [...super.callKeys, "constraint"];
  }
  async dispose() {}
}
vi.mock("@toolingua/llama-cpp/langchain", () => ({ EmbeddedChatModel: Scripted }));
vi.mock("@langchain/ollama", () => ({ ChatOllama: Scripted }));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(here, ".readme-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (code: string, index: number) => {
  const path = join(folder, `example-${index}.ts`);
  writeFileSync(path, code);
  return path;
};

const sum = call("add", { a: 17, b: 25 });
const am = '<am:tool_call name="add"><a>17</a><b>25</b></am:tool_call>';
const runs: [string, Reply[], unknown][] = [
  ["EmbeddedChatModel", [sum], "42"],
  ["const model = withToolCalling(new ChatOllama", [am, "It is 42."], "It is 42."],
  ["toolCallingMiddleware()", [am, "It is 42."], "It is 42."],
  ["new ToolCallOutputParser(", [am], [expect.objectContaining({ type: "add", args: { a: 17, b: 25 } })]],
  ["extends ToolSpec", ['<am:tool_call name="open"><title>Leak</title></am:tool_call>', "Opened."], "Opened."],
];

describe("the README's examples", () => {
  it("are all run here", () => expect(examples).toHaveLength(runs.length));

  it.each(runs)(
    "run: %s",
    async (begins, said, expected) => {
      replies = said;
      const log = vi.spyOn(console, "log").mockImplementation(() => {});
      const index = examples.findIndex((code) => code.includes(begins));
      await import(/* @vite-ignore */ write(examples[index] ?? "", index));
      expect(log.mock.calls).toEqual([[expected]]);
      log.mockRestore();
    },
    120_000,
  );
});
