import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { DONE, delta, reply } from "../../../endpoints/test/support/scripted-server.js";

/** A reply of the model; `endless`: it goes on and on; `finish`: why it ended. */
export type Said = string | { endless: string } | { text: string; finish: string };

export interface ChatRequest {
  messages: { role: string; content: string }[];
}

/** A call in the format of Qwen, which the model's name says it was trained on. */
export const call = (name: string, args: object): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;

/** A server on loopback with a model that gives these replies in turn, the last one again and again. */
export async function chatModel(...replies: Said[]) {
  const requests: ChatRequest[] = [];
  let aborted = 0;
  const server = createServer(async (request, response) => {
    const body = await read(request);
    if (request.url === "/v1/models") return response.end(JSON.stringify({ data: [{ id: "qwen2.5:7b" }] }));
    if (request.url !== "/v1/chat/completions") return response.writeHead(404).end("{}");
    requests.push(JSON.parse(body));
    const said = replies[Math.min(requests.length, replies.length) - 1] ?? "";
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (typeof said === "string") return response.end(reply(...(said.match(/.{1,7}/gs) ?? [])).join(""));
    if ("finish" in said) return response.end(`${delta(said.text)}${delta({}, said.finish)}${DONE}`);
    response.once("close", () => {
      aborted++;
    });
    const timer = setInterval(() => response.write(delta(said.endless)), 20);
    response.once("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { upstream: `http://127.0.0.1:${port}/v1`, requests, aborted: () => aborted };
}

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}
