// node benchmarks/ai-sdk/run.mjs [--quick] [--out FILE]: what tool calling in the prompt adds to generateText and
// streamText over a model that calls tools natively, with this package and with @ai-sdk-tool/parser. Without --quick:
// writes results.json.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { hermesToolMiddleware, qwen3CoderToolMiddleware } from "@ai-sdk-tool/parser";
import { toolCallingMiddleware } from "@toolingua/ai-sdk";
import { compare, effort, rounded } from "@toolingua/benchmark-timing";
import { circumstances, committable, print } from "@toolingua/benchmark-timing/results.mjs";
import { estimate, quotient } from "@toolingua/benchmark-timing/spread.mjs";
import { getProtocol, toJsonSchema } from "@toolingua/core";
import { generateText, streamText, tool, wrapLanguageModel } from "ai";
import { z } from "zod";
import { nativeModel, textModel } from "./models.mjs";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false }, out: { type: "string" } } });
const { quick } = values;
const about = circumstances(["ai-sdk"]);
if (!quick && !values.out) committable(about);

const schemas = {
  book_flight: z.object({
    from: z.string(),
    to: z.string(),
    passengers: z.number().int(),
    cabin: z.enum(["economy", "business", "first"]),
    flexible: z.boolean(),
  }),
  write_file: z.object({ path: z.string(), content: z.string() }),
};
const tools = Object.fromEntries(
  Object.entries(schemas).map(([name, inputSchema]) => [name, tool({ description: `Calls ${name}`, inputSchema })]),
);
const definitions = Object.entries(schemas).map(([name, schema]) => ({ name, parameters: toJsonSchema(schema) }));
const prompt = "Book a flight from Oslo to Rome for two, and write it down.";

/**
 * How often each way is called before anything is measured: code that runs once in a call is compiled after thousands
 * of calls.
 */
const WARM_UP = 3000;

/** The test calls: five arguments, and a long text. */
const cases = [
  {
    what: "a whole call with 5 arguments",
    name: "book_flight",
    args: { from: "OSL", to: "FCO", passengers: 2, cabin: "economy", flexible: true },
    run: (model) => generateText({ model, tools, prompt }),
    most: 0.5,
    unit: "µs",
    effort: effort(quick),
    warmUp: WARM_UP,
    per: 1,
  },
  {
    what: "a streamed argument of 50 KB",
    name: "write_file",
    args: { path: "a.txt", content: "A line of the long text.\n".repeat(quick ? 40 : 2000) },
    run: (model) => streamText({ model, tools, prompt }).consumeStream(),
    most: 0.1,
    unit: "ms",
    effort: quick ? effort(true) : { rounds: 4, seconds: 0.05 },
    warmUp: 2,
    per: 1000,
  },
];
const peers = { hermes: hermesToolMiddleware, "qwen3-coder": qwen3CoderToolMiddleware };

const rows = [];
for (const { what, name, args, run, most, unit, effort, warmUp, per } of cases) {
  const formats = Object.keys(peers);
  const ways = formats.flatMap((protocol) => {
    const model = textModel(getProtocol(protocol).renderCalls([{ name, arguments: args }], { tools: definitions }));
    const wrapped = [toolCallingMiddleware({ protocol }), peers[protocol]];
    return wrapped.map((middleware) => wrapLanguageModel({ model, middleware }));
  });
  const native = nativeModel(name, args);
  const models = [native, ...ways];
  for (let i = 0; i < (quick ? 1 : warmUp); i++) for (const model of models) await run(model);
  const [base, ...times] = await compare(
    models.map((model) => () => run(model)),
    effort,
  );
  for (const [i, protocol] of formats.entries()) {
    const [ours, theirs] = [times[2 * i], times[2 * i + 1]];
    const added = ({ value }) => rounded((value - base.value) / per);
    rows.push({
      what: `${what}, ${protocol}`,
      ...estimate([ours, theirs, base], (own, other, native) => quotient(own - native, other - native)),
      unit: "× the time",
      against: "what @ai-sdk-tool/parser adds to a native model",
      most,
      detail: `${added(ours)} ${unit} added, by the peer ${added(theirs)}; the native model takes ${rounded(base.value / per)}`,
    });
  }
}
print(rows, () => "ai-sdk");
const out = values.out ?? (quick ? undefined : fileURLToPath(new URL("results.json", import.meta.url)));
if (out) writeFileSync(out, `${JSON.stringify({ ...about, rows }, null, 2)}\n`);
