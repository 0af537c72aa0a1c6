import { cases, tools, chunked, writeFile } from "@toolingua/benchmark-parse/cases.mjs";
const now = await import("/tmp/engine-new/packages/core/dist/index.js"), old = await import("/tmp/engine-old/packages/core/dist/index.js");
const pick = process.argv[2];
for (const { title, protocol, reply } of cases) {
  if (pick && !title.includes(pick)) continue;
  const f = (c, n) => { for (let i = 0; i < n; i++) c.parseReply(reply, { protocol, tools }); };
  let n = 10; { f(now, 3000 / (1 + reply.length / 500)); f(old, 3000 / (1 + reply.length / 500)); const t = performance.now(); f(now, 100); n = Math.max(5, Math.round(300 / ((performance.now() - t) + 0.01))); }
  const best = { now: 1e9, old: 1e9 };
  for (let r = 0; r < 120; r++) for (const [k, c] of r % 2 ? [["now", now], ["old", old]] : [["old", old], ["now", now]]) { const t = performance.now(); f(c, n); best[k] = Math.min(best[k], (performance.now() - t) / n); }
  console.log(title, (best.now / best.old).toFixed(3), (best.now * 1000).toFixed(2), (best.old * 1000).toFixed(2));
}
