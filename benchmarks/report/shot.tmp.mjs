import { launch } from "./browser.mjs";

const b = await launch();
for (const [w, scheme] of [
  [1280, "light"],
  [400, "light"],
  [1280, "dark"],
  [400, "dark"],
]) {
  const p = await b.newPage({ viewport: { width: w, height: 900 }, colorScheme: scheme });
  await p.goto("file:///work/v-evals/benchmarks/report/dist/index.html");
  await p.waitForTimeout(300);
  await p.screenshot({
    path: `/tmp/shot-${w}-${scheme}.png`,
    clip: { x: 0, y: 0, width: w, height: 2400 },
    fullPage: true,
  });
  console.log(
    w,
    scheme,
    await p.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]),
  );
}
await b.close();
