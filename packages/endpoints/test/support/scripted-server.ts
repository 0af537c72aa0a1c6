import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A request as the server saw it. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** Resolves when the connection of this request is gone, or its answer was sent whole. */
  closed: Promise<"complete" | "aborted">;
}

export type Answer = (response: ServerResponse, request: Received) => unknown;

/** A server on loopback that gives these answers in turn, the last one again and again. Closed when the test ends. */
export async function scriptedServer(...answers: Answer[]) {
  const requests: Received[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (request, response) => {
    const received: Received = {
      path: request.url ?? "",
      headers: request.headers,
      body: JSON.parse((await read(request)) || "{}"),
      closed: new Promise((resolve) =>
        response.once("close", () => resolve(response.writableFinished ? "complete" : "aborted")),
      ),
    };
    requests.push(received);
    await answers[Math.min(requests.length, answers.length) - 1]!(response, received);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests,
    /** How many connections were made. */
    connections: () => sockets.size,
  };
}

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

const sse = { "content-type": "text/event-stream" };

/** An event of a stream. */
export const event = (payload: unknown): string => `data: ${JSON.stringify(payload)}\n\n`;

/** An event with a delta of a chat completion. */
export const delta = (said: Record<string, unknown> | string, finish: string | null = null): string =>
  event({
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta: typeof said === "string" ? { content: said } : said, finish_reason: finish }],
  });

export const usage = (prompt_tokens: number, completion_tokens: number): string =>
  event({ choices: [], usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens } });

export const DONE = "data: [DONE]\n\n";

/** A whole stream of these pieces of text. */
export const reply = (...pieces: string[]): string[] => [
  delta({ role: "assistant", content: "" }),
  ...pieces.map((piece) => delta(piece)),
  delta({}, "stop"),
  usage(7, pieces.length),
  DONE,
];

/** Sends these pieces as they are, each on its own, and ends. */
export const stream =
  (pieces: readonly (string | Uint8Array)[], { headers = {} as Record<string, string>, end = true } = {}): Answer =>
  async (response) => {
    response.writeHead(200, { ...sse, ...headers });
    response.flushHeaders();
    for (const piece of pieces) {
      response.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (end) response.end();
  };

/** Answers with a status, a body and headers. */
export const status =
  (code: number, body: unknown = "", headers: Record<string, string> = {}): Answer =>
  (response) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(code, { "content-type": "application/json", ...headers });
    response.end(text);
  };
