import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { launch } from "../evals/report/browser.mjs";
import { servePage } from "../examples/web-llm/src/serve-page.js";

// npm run verify -- web-llm-page: the page of examples/web-llm in a headless Chromium, with an engine that follows a script.

const replies = [
  'I write it down.\n<tool_call>\n{"name": "add_note", "arguments": {"text": "The roof leaks."}}\n</tool_call>',
  "It is note 1.",
];
const scripted = fileURLToPath(new URL("../examples/web-llm/src/scripted-engine.ts", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "toolingua-web-llm-"));
const engine = join(folder, "engine.ts");
await writeFile(
  engine,
  `import { scriptedEngine } from ${JSON.stringify(scripted)};
export async function CreateMLCEngine(model, { initProgressCallback }) {
  initProgressCallback({ text: "Loading half of it" });
  const { engine, requests } = scriptedEngine(${JSON.stringify(replies)});
  globalThis.asked = { model, requests };
  const { create } = engine.chat.completions;
  engine.chat.completions.create = (request) =>
    requests.length < ${replies.length} ? create(request) : Promise.reject(new Error("The GPU is lost."));
  return engine;
}`,
);
const server = await servePage(0, engine);
const browser = await launch();
afterAll(async () => {
  await browser.close();
  await server.close();
  await rm(folder, { recursive: true });
});

it("a model in the page calls a tool of the page, and answers", async () => {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(`${server.url}/?model=some-model`);
  await page.getByText("some-model is ready.").waitFor();
  await page.getByPlaceholder("Say something").fill("Note that the roof leaks.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("It is note 1.").waitFor();
  expect(await page.locator("#chat > *").allTextContents()).toEqual([
    "Note that the roof leaks.",
    expect.stringMatching(/^I write it down\.\s*$/),
    'add_note {"text":"The roof leaks."}',
    "Written down as note 1.",
    "It is note 1.",
  ]);
  const formats = await page.evaluate("globalThis.asked.requests.map(({ response_format }) => response_format.type)");
  expect(formats).toEqual(["grammar", "grammar"]);
  await page.getByPlaceholder("Say something").fill("And now?");
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator("#chat > .error", { hasText: "The GPU is lost." }).waitFor();
  expect(await page.getByPlaceholder("Say something").isEnabled()).toBe(true);
  expect(faults).toEqual([]);
});

it("WebLLM itself loads in the page, and the page reports a missing model", async () => {
  const real = await servePage(0);
  const page = await browser.newPage();
  await page.route(
    (url) => url.origin !== real.url,
    (route) => route.abort(),
  );
  await page.goto(real.url);
  await page.locator("#status", { hasText: /Qwen.* cannot run here: .*Error.*\?model=/ }).waitFor();
  expect(await page.getByPlaceholder("Say something").isVisible()).toBe(false);
  await real.close();
});
