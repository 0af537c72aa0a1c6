import { toolCallingMiddleware } from "@toolingua/ai-sdk";
import { hermesToolMiddleware, qwen3CoderToolMiddleware } from "@ai-sdk-tool/parser";
import { getProtocol, toJsonSchema } from "@toolingua/core";
import { generateText, tool, wrapLanguageModel } from "ai";
import { z } from "zod";
import { textModel } from "./models.mjs";
const schemas = {
  book_flight: z.object({ from: z.string(), to: z.string(), passengers: z.number().int(), cabin: z.enum(["economy", "business", "first"]), flexible: z.boolean() }),
  write_file: z.object({ path: z.string(), content: z.string() }),
};
const tools = Object.fromEntries(Object.entries(schemas).map(([name, inputSchema]) => [name, tool({ description: `Calls ${name}`, inputSchema })]));
const definitions = Object.entries(schemas).map(([name, schema]) => ({ name, parameters: toJsonSchema(schema) }));
const prompt = "Book a flight from Oslo to Rome for two, and write it down.";
const args = { from: "OSL", to: "FCO", passengers: 2, cabin: "economy", flexible: true };
const protocol = process.argv[2] ?? "hermes";
const text = getProtocol(protocol).renderCalls([{ name: "book_flight", arguments: args }], { tools: definitions });
const st = { ours: [[], [], []], peer: [[], [], []] };
let T = [];
const now = () => Number(process.hrtime.bigint());
function stamped(key, mw) {
  const m = textModel(text); const gen = m.doGenerate;
  m.doGenerate = async (o) => { T[1] = now(); const r = await gen(o); T[2] = now(); return r; };
  const wrap = wrapLanguageModel({ model: m, middleware: mw });
  return { ...wrap, supportedUrls: {}, doGenerate: async (p) => { T[0] = now(); const r = await wrap.doGenerate(p); T[3] = now(); for (let i = 0; i < 3; i++) st[key][i].push((T[i + 1] - T[i]) / 1000); return r; } };
}
const ways = { ours: stamped("ours", toolCallingMiddleware({ protocol })), peer: stamped("peer", { hermes: hermesToolMiddleware, "qwen3-coder": qwen3CoderToolMiddleware }[protocol]) };
const run = (model) => generateText({ model, tools, prompt });
for (let i = 0; i < 3000; i++) for (const m of Object.values(ways)) await run(m);
for (const k in st) for (const a of st[k]) a.length = 0;
for (let r = 0; r < 12; r++) for (const [k, m] of Object.entries(ways)) for (let i = 0; i < 500; i++) await run(m);
const med = (a) => a.toSorted((x, y) => x - y)[a.length >> 1];
for (const k in st) console.log(protocol, k, "prompt, model, read:", st[k].map(med).map(x => x.toFixed(1)).join(" "), "means", st[k].map(a => (a.reduce((x, y) => x + y) / a.length).toFixed(1)).join(" "));
