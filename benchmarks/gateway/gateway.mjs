// A gateway in its own process: `node gateway.mjs UPSTREAM` prints its port, and ends with its standard input.
import { serve } from "@toolingua/gateway";

const upstream = { baseURL: process.argv[2] };
/** The model, and how tools are shown to it. */
const shown = { m: {}, compact: { style: "compact" }, selected: { toolSelection: true } };
const { url } = await serve({
  models: Object.entries(shown).map(([name, options]) => ({ name, upstream, protocol: "hermes", ...options })),
  server: { port: 0, limits: { tools: 10_000 } },
});
process.stdout.write(new URL(url).port);
process.stdin.resume().once("end", () => process.exit());
