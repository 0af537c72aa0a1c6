// An MCP server, written by hand, that does what honest ones do not: `node moody.mjs MOOD`.
import { createInterface } from "node:readline";

const mood = process.argv[2];
process.stderr.write(`the mood is ${mood}\n`);
// They stay when nobody listens any more, though not for ever.
if (mood === "silent" || mood === "obstinate") setTimeout(() => process.exit(), 60_000);
if (mood === "obstinate") process.on("SIGTERM", () => {});
if (mood === "dead") process.exit(3);

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const object = { type: "object" };
const pages = {
  "": { tools: [{ name: "one", inputSchema: object }], nextCursor: "2" },
  2: {
    tools: [{ name: "two", inputSchema: object }, { name: "bad" }, { name: "one", inputSchema: object }],
    nextCursor: "3",
  },
  3: {
    tools: [{ name: "odd", inputSchema: { ...object, properties: { a: { $ref: "#/nowhere" } } } }],
    nextCursor: mood === "forever" ? "3" : undefined,
  },
};
const lax = { ...object, properties: { a: true, b: false } };
const names = ["find files", "find_files", "<b>", "party🎉", ""];
let gone = false;
let lists = 0;

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "moody", version: "1" },
  }),
  ping: () => ({}),
  "tools/list": ({ cursor = "" } = {}) =>
    mood === "shy" && cursor === "" && lists++ > 0
      ? undefined
      : mood === "lax"
        ? { tools: [{ name: "lax", inputSchema: lax, outputSchema: lax }] }
        : mood === "endless"
          ? { tools: [{ name: `tool_${cursor}`, inputSchema: object }], nextCursor: String(Number(cursor) + 1) }
          : mood === "poet"
            ? { tools: names.map((name) => ({ name, inputSchema: object })) }
            : gone
              ? { tools: [{ name: "two", inputSchema: object }] }
              : pages[cursor],
  "tools/call": ({ name, arguments: args }, id) => {
    if (args.die) process.exit(1);
    if (args.hang) return undefined;
    if (args.give) return args.give;
    if (args.think) {
      process.stdout.write("thinking...\n");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, args.think);
      return { content: [{ type: "text", text: "thought" }] };
    }
    if (args.dig) {
      const deep = `${'{"a":'.repeat(100000)}1${"}".repeat(100000)}`;
      process.stdout.write(
        `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"x"}],"structuredContent":${deep}}}\n`,
      );
      return undefined;
    }
    if (args.lie) return { content: [{ type: "text", text: "Nothing here" }], structuredContent: { found: 0 } };
    if (args.leave) {
      gone = true;
      if (args.leave === "loudly") send({ method: "notifications/tools/list_changed" });
      return { content: [{ type: "text", text: "left" }] };
    }
    if (gone && name !== "two") return send({ id, error: { code: -32602, message: `no ${name}` } });
    if (args.own) return send({ id, error: { code: args.own, message: "over quota" } });
    if (args.odd) return { content: [{ type: "hologram" }] };
    if (args.refuse) return send({ id, error: { code: -32603, message: "not today" } });
    return { content: [{ type: "text", text: `${name} in ${process.pid}` }] };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (mood === "silent" || method === "notifications/cancelled") return process.stderr.write(`${method}\n`);
  const result = answers[method]?.(params, id);
  if (id !== undefined && result !== undefined) send({ id, result });
});
