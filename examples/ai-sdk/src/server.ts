import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { convertToModelMessages, type LanguageModel, safeValidateUIMessages, stepCountIs, streamText } from "ai";
import { build } from "esbuild";
import { z } from "zod";
import { tools } from "./tools.js";

const page = (file: string) => fileURLToPath(new URL(`../page/${file}`, import.meta.url));

/** Bytes that a conversation may have. */
const MOST = 1_000_000;
const body = z.object({ messages: z.array(z.unknown()), tool: z.enum(["clock", "note"]).optional() });

/** A request that is not answered: the client is told why. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

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
      if (!(error instanceof Refusal)) console.error(error);
      const [status, why] = error instanceof Refusal ? [error.status, error.message] : [500, "The server failed."];
      if (response.headersSent) response.end();
      else response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(why);
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = `${request.method} ${request.url?.replace(/\?.*/s, "")}`;
    if (route === "GET /") return send(response, "text/html", await readFile(page("index.html"), "utf8"));
    if (route === "GET /page.js") return send(response, "text/javascript", script);
    if (route === "POST /api/chat") return chat(request, response);
    throw new Refusal(404, `There is no ${route}.`);
  }

  async function chat(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { messages, tool } = bodyIn(await textOf(request));
    const checked = await safeValidateUIMessages({ messages });
    if (!checked.success) throw new Refusal(400, `These are not the messages of useChat. ${reasonOf(checked.error)}`);
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

function bodyIn(text: string): z.infer<typeof body> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, `The request is not JSON. ${reasonOf(error)}`);
  }
  const read = body.safeParse(json);
  if (!read.success) throw new Refusal(400, `The request is not that of the page. ${z.prettifyError(read.error)}`);
  return read.data;
}

/** The reason of an error; the SDK's own message also contains what was given. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof z.ZodError ? z.prettifyError(cause) : message;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > MOST) throw new Refusal(413, `A conversation may have ${MOST} characters.`);
  }
  return text;
}
