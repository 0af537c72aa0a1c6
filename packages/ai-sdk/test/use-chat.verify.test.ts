import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { afterAll, expect, it } from "vitest";
import { launch } from "../../../evals/report/browser.mjs";
import { serveChat } from "../../../examples/ai-sdk/src/server.js";
import { notes } from "../../../examples/ai-sdk/src/tools.js";
import { withToolCalling } from "../src/index.js";
import { call, ScriptedModel } from "./scripted-model.js";

// npm run verify -- use-chat: the page of examples/ai-sdk in a headless Chromium, with a scripted model.

const note = { title: "Roof", text: "The roof leaks over the kitchen." };
const inner = new ScriptedModel({
  replies: [
    `I write it down.\n${call("note", note)}`,
    "It is written down.",
    call("clock", { timeZone: "America/New_York" }),
    call("note", note),
    "I did not write it.",
  ],
});

/** How far the model has written: a stream goes on when the page has shown what came. */
let allowed = 60;
const doStream = inner.doStream.bind(inner);
inner.doStream = async (options) => {
  const { stream, ...rest } = await doStream(options);
  const paced = new TransformStream<LanguageModelV3StreamPart, LanguageModelV3StreamPart>({
    async transform(part, controller) {
      while (allowed <= 0) await new Promise((resolve) => setTimeout(resolve, 5));
      allowed--;
      controller.enqueue(part);
    },
  });
  return { stream: stream.pipeThrough(paced), ...rest };
};

const chat = await serveChat(withToolCalling(inner, { protocol: "hermes" }));
const browser = await launch();
afterAll(async () => {
  allowed = Number.POSITIVE_INFINITY;
  await browser.close();
  await chat.close();
});

it("useChat shows arguments as they are written, waits for a click, runs the tool and ends with the answer", async () => {
  const page = await browser.newPage();
  await page.goto(chat.url);
  await page.getByPlaceholder("Say something").fill("Note that the roof leaks.");
  await page.getByRole("button", { name: "Send" }).click();

  const tool = page.locator(".tool");
  await page.getByText("I write it down.").waitFor();
  allowed = 30;
  const seen = new Set<string>();
  for (let rounds = 0; rounds < 100 && (await tool.getAttribute("data-state")) !== "approval-requested"; rounds++) {
    seen.add((await tool.locator("pre").first().textContent()) ?? "");
    allowed = 4;
    await page.waitForTimeout(20);
  }
  allowed = Number.POSITIVE_INFINITY;
  await page.getByRole("button", { name: "Allow" }).waitFor();
  const partial = [...seen].filter((text) => text.includes("The roof") && !text.includes(note.text));
  expect(partial.length, [...seen].join("\n")).toBeGreaterThan(1);
  expect(JSON.parse((await tool.locator("pre").first().textContent()) ?? "")).toEqual(note);
  expect(notes).toEqual([]);

  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByText("It is written down.").waitFor();
  expect(notes).toEqual([note]);
  expect(await tool.locator(".output").textContent()).toBe("Written down as note 1.");
  expect(inner.calls).toHaveLength(2);
  expect(inner.text(1)).toContain("Written down as note 1.");
});

it("an example of the page calls the tool that it is for", async () => {
  const page = await browser.newPage();
  await page.goto(chat.url);
  await page.getByRole("button", { name: "Use the clock for America/New_York." }).click();
  expect(await page.locator(".tool .output").textContent()).toMatch(/^\d{1,2}:\d{2}/);
});

it("after a failed request, and while a call waits for its click, the page says what can be done", async () => {
  const page = await browser.newPage();
  await page.goto(chat.url);
  const send = page.getByRole("button", { name: "Send" });
  const say = async (text: string) => {
    await page.getByPlaceholder("Say something").fill(text);
    await send.click();
  };
  await page.route("**/api/chat", (route) => route.fulfill({ status: 500, body: "The server failed." }));
  await say("Hello");
  await page.getByText("The server failed.").waitFor();
  await page.unroute("**/api/chat");

  await say("Note that the roof leaks.");
  await page.getByRole("button", { name: "Deny" }).waitFor();
  await page.getByPlaceholder("Say something").fill("And now?");
  expect(await send.isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByText("denied").waitFor();
  await page.getByText("I did not write it.").waitFor();
  expect(await send.isDisabled()).toBe(false);
});
