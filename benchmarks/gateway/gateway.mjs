// A gateway as a process of its own: `node gateway.mjs UPSTREAM` prints its port, and ends with its standard input.
import { serve } from "@toolingua/gateway";

const upstream = { url: process.argv[2] };
const { url } = await serve({
  models: [{ name: "m", upstream, protocol: "hermes" }],
  server: { port: 0, limits: { tools: 10_000 } },
});
process.stdout.write(new URL(url).port);
process.stdin.resume().once("end", () => process.exit());
