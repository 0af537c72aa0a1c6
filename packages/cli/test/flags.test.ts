import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chatEndpoint } from "../../endpoints/src/index.js";
import { scriptedServer, status } from "../../endpoints/test/support/scripted-server.js";
import { createContext } from "../../llama-cpp/src/engine/model-file.js";
import type { Native } from "../../llama-cpp/src/engine/native.js";
import { LlamaCppEngine } from "../../llama-cpp/src/index.js";
import { writeTinyModel } from "../../llama-cpp/src/tiny-model/index.js";
import { shownMessage } from "../src/terminal/errors.js";
import { cli } from "./support/cli.js";

// The errors of the packages name options that the command line has as flags. Those of formats are in render.test.ts, and those
// of MCP servers and OpenAPI documents in tool-sources.test.ts.

const shown = (work: Promise<unknown>): Promise<string> => work.then(() => "no error", shownMessage);

test("a server that wants a key names --upstream-api-key", async () => {
  const server = await scriptedServer(status(401, { error: { message: "no key" } }));
  const model = chatEndpoint({ baseURL: server.baseURL, model: "m" });
  const ask = async () => {
    for await (const _ of model({ messages: [{ role: "user", content: "Hi" }] })) break;
  };
  expect(await shown(ask())).toContain("No key was given: it is set with --upstream-api-key.");
});

test("a prompt above the context names --context", async () => {
  const folder = await mkdtemp(join(tmpdir(), "toolingua-flags-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const modelPath = join(folder, "tiny.gguf");
  await writeTinyModel(modelPath, { kind: "random" });
  const engine = await LlamaCppEngine.load({ modelPath, contextSize: 256, threads: 1 });
  onTestFinished(() => engine.dispose());
  expect(await shown(engine.generate({ prompt: "x ".repeat(300) }))).toMatch(
    /Shorten the prompt, or give a larger --context\.$/,
  );
});

test("a context without room in memory names --context", async () => {
  const native = {
    threads: { demand: () => {}, release: () => {} },
    complaints: async () => ({ error: new Error("full"), complaints: [] }),
  } as unknown as Native;
  expect(await shown(createContext(native, Object.create(null), 1, {}))).toBe(
    "There is no room for the context: full. Try a smaller --context.",
  );
});

test.each([
  [["probe", "--upstream", "http://localhost:1"], "The URL needs no flag: toolingua probe http://localhost:1"],
  [["doctor", "-u", "localhost:1"], "The URL needs no flag: toolingua doctor localhost:1"],
  [["serve", "localhost:1"], "the model's server is --upstream localhost:1"],
])("an address that is given in the way of another command is refused with the right one: %j", async (argv, words) => {
  expect(await cli(argv)).toMatchObject({ code: 64, stderr: expect.stringContaining(words) });
  expect((await cli([argv[0]!, "--help"])).stdout.includes("--upstream")).toBe(argv[0] === "serve");
});
