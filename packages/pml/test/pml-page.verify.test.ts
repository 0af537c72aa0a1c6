import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { launch } from "../../../evals/report/browser.mjs";
import { parsePml, renderHtml } from "../src/index.js";

// npm run verify -- pml-page: the page of a document in a headless Chromium. UPDATE_SCREENSHOTS=1 writes those of the README.

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const document = parsePml(`<pml version="1">
  <memory><fact>Kim wants short answers.</fact><summary>Yesterday the retries were moved into a file of their own.</summary></memory>
  <conversation topic="The client gives up too early" omitted="2">
    <turn index="3">
      <user name="Kim"><text>Why does the client give up after one second? &lt;script>document.title = "no"&lt;/script></text>
        <attachment type="file" path="src/client.ts"><content><![CDATA[export const client = create({
  retries: 0,
  timeout: 1000,
});]]></content></attachment>
        <attachment type="image" name="the log" mime="image/png" encoding="base64" alt="A red dot"><content>${PIXEL}</content></attachment></user>
      <assistant><thinking>The timeout is in milliseconds.</thinking><text>I look up what the retries do.</text>
        <call id="c1" name="read_file" path="src/retry.ts" lines="40"/></assistant>
      <tool_output call="c1">export const retry = { attempts: 3, delay: 200 };</tool_output>
      <assistant><text>\`timeout\` is 1,000 ms, and \`retries: 0\` turns the retries off.</text>
        <edit file="src/client.ts"><![CDATA[-  retries: 0,
-  timeout: 1000,
+  retries: 3,
+  timeout: 10_000,]]></edit></assistant>
    </turn>
    <turn index="4">
      <user name="Kim"><text>Thanks. And ${"a-very-long-word-".repeat(20)}?</text></user>
      <assistant><call id="c2" name="search" query="a very long word"/></assistant>
      <tool_output call="c2" status="error">No such word.</tool_output>
    </turn>
  </conversation>
</pml>`);

const browser = await launch();
afterAll(() => browser.close());

async function shown(colorScheme: "light" | "dark", width = 900) {
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 1000 } });
  const asked: string[] = [];
  const faults: string[] = [];
  page.on("request", (request) => asked.push(request.url().slice(0, 20)));
  page.on("console", (message) => faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  await page.setContent(renderHtml(document), { waitUntil: "load" });
  return { page, asked, faults };
}

it("shows everything without a request, a script or an error, and folds long parts", async () => {
  const { page, asked, faults } = await shown("light");
  expect(await page.title()).toBe("The client gives up too early");
  expect(asked.filter((url) => !url.startsWith("data:"))).toEqual([]);
  expect(faults).toEqual([]);
  expect(await page.getByText('document.title = "no"').isVisible()).toBe(true);
  const width = await page.getByAltText("A red dot").evaluate((image) => Reflect.get(image, "naturalWidth"));
  expect(width).toBe(1);
  const content = page.getByText("retries: 0,\n  timeout: 1000,\n});", { exact: false });
  expect(await content.first().isVisible()).toBe(false);
  await page.getByText("src/client.ts").first().click();
  expect(await content.first().isVisible()).toBe(true);
});

it.each([360, 900, 1600])("fits a window of %i pixels, even with long words", async (width) => {
  const { page } = await shown("light", width);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
});

it("looks like its picture: the same each time, and different in dark mode", async () => {
  const folder = new URL("../../../docs/images/", import.meta.url);
  const pictures: Buffer[] = [];
  for (const scheme of ["light", "dark"] as const) {
    const { page } = await shown(scheme);
    const picture = await page.screenshot({ fullPage: true });
    expect(picture.equals(await page.screenshot({ fullPage: true }))).toBe(true);
    pictures.push(picture);
    const color: string = await page.evaluate("getComputedStyle(document.body).color");
    const [red = 0] = /\d+/.exec(color) ?? [];
    expect(Number(red) > 128, `the text is ${color}`).toBe(scheme === "dark");
    if (process.env.UPDATE_SCREENSHOTS !== "1") continue;
    mkdirSync(folder, { recursive: true });
    writeFileSync(fileURLToPath(new URL(`pml-page-${scheme}.png`, folder)), picture);
  }
  expect(pictures[0]?.equals(pictures[1] ?? Buffer.alloc(0))).toBe(false);
});
