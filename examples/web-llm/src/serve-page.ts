import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const file = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Serves the page on this machine. `port` 0: any free port; `engine`: a module that replaces `@mlc-ai/web-llm`. */
export async function servePage(port = 0, engine?: string): Promise<{ url: string; close(): Promise<void> }> {
  const bundle = await build({
    entryPoints: [file("page/page.ts")],
    ...{ bundle: true, write: false, format: "esm", platform: "browser", logLevel: "error" },
    ...(engine !== undefined && { alias: { "@mlc-ai/web-llm": engine } }),
  });
  const script = bundle.outputFiles[0]?.text ?? "";
  const html = await readFile(file("page/index.html"), "utf8");
  const server = createServer(({ url = "" }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const [type, text] = pathname === "/" ? ["html", html] : pathname === "/page.js" ? ["javascript", script] : [];
    if (text === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": `text/${type}; charset=utf-8` }).end(text);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
