// The least that a gateway costs: Hono, and undici for the upstream, whose answer is passed on unread. `node proxy.mjs
// UPSTREAM` prints its port, and ends with its standard input.
import { Readable } from "node:stream";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { Pool } from "undici";

const upstream = new URL(process.argv[2]);
const pool = new Pool(upstream.origin);
const app = new Hono();
app.post("/v1/chat/completions", async (c) => {
  const body = JSON.stringify(await c.req.json());
  const headers = { "content-type": "application/json" };
  const answer = await pool.request({ path: `${upstream.pathname}/chat/completions`, method: "POST", headers, body });
  return new Response(Readable.toWeb(answer.body), { headers: { "content-type": "text/event-stream" } });
});
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.stdout.write(String(port)));
process.stdin.resume().once("end", () => process.exit());
