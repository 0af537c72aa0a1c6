import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import {
  convertToModelMessages,
  type LanguageModel,
  safeValidateUIMessages,
  stepCountIs,
  streamText,
  TypeValidationError,
} from "ai";
import { build } from "esbuild";
import { z } from "zod";
import { tools } from "./tools.js";

const page = (file: string) => fileURLToPath(new URL(`../page/${file}`, import.meta.url));

/** Bytes that a conversation may have. */
const MOST = 1_000_000;
const body = z.object({ messages: z.array(z.unknown()), tool: z.enum(["clock", "note"]).optional() });

/** A chat server on this machine. `port` 0: any that is free. */
export async function serveChat(model: LanguageModel, port = 0): Promise<{ url: string; close(): Promise<void> }> {
  const bundle = await build({
    entryPoints: [page("page.jsx")],
    bundle: true,
    write: false,
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const script = bundle.outputFiles[0]?.text ?? "";
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error);
      const isBadRequest = [TypeValidationError, SyntaxError, z.ZodError].some((kind) => error instanceof kind);
      if (!response.headersSent) response.writeHead(isBadRequest ? 400 : 500);
      response.end();
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = `${request.method} ${request.url}`;
    if (route === "GET /") return send(response, "text/html", await readFile(page("index.html"), "utf8"));
    if (route === "GET /page.js") return send(response, "text/javascript", script);
    if (route === "POST /api/chat") return chat(request, response);
    response.writeHead(404).end();
  }

  async function chat(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { messages, tool } = body.parse(JSON.parse(await textOf(request)));
    const checked = await safeValidateUIMessages({ messages });
    if (!checked.success) throw checked.error;
    // The page goes on with the answer once its user has allowed or denied a call.
    const isDecided = checked.data.at(-1)?.role === "assistant";
    const left = new AbortController();
    response.once("close", () => left.abort());
    const result = streamText({
      model,
      tools,
      system: "You are a helpful assistant. Answer in one sentence.",
      messages: await convertToModelMessages(checked.data, { tools }),
      stopWhen: stepCountIs(5),
      // A small model repeats its call instead of telling the result: the result of a chosen tool is the answer, and after a
      // decision there is no other call.
      ...(tool && { toolChoice: { type: "tool", toolName: tool } as const, stopWhen: stepCountIs(1) }),
      ...(isDecided && { toolChoice: "none" as const }),
      abortSignal: left.signal,
    });
    result.pipeUIMessageStreamToResponse(response, { onError: (error) => String(error) });
  }

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

function send(response: ServerResponse, type: string, content: string): void {
  response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(content);
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > MOST) throw new Error(`A conversation may have ${MOST} characters.`);
  }
  return text;
}
