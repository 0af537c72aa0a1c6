import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ChatOpenAI } from "@langchain/openai";
import { parseReply } from "@toolingua/core";
import { ToolConversation } from "@toolingua/core/conversation";
import { chatEndpoint } from "@toolingua/endpoints";
import { createAgent, tool } from "langchain";
import { afterAll } from "vitest";
import { z } from "zod";
import { describeReadme } from "../../../test/support/readme-examples.js";
import { reply } from "../../endpoints/test/support/scripted-server.js";
import { withToolCalling } from "../src/index.js";

// The front page, in front of a server that answers as a model without tools of its own does.

const server = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  const said = answerTo(body);
  const { stream } = JSON.parse(body);
  const message = { role: "assistant", content: said };
  const whole = { object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] };
  response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
  response.end(stream ? reply(said).join("") : JSON.stringify(whole));
}).listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
const { port } = server.address() as AddressInfo;

function answerTo(body: string): string {
  const [name, args, answer] = body.includes("Tokyo")
    ? (["get_time", { zone: "Asia/Tokyo" }, "It is noon in Tokyo."] as const)
    : (["get_weather", { city: "Oslo" }, "The sun shines in Oslo."] as const);
  const isAnswered = /Sun in Oslo|\d\d:\d\d:\d\d/.test(body);
  return isAnswered ? answer : `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
}

describeReadme(new URL("../../../README.md", import.meta.url), {
  count: 3,
  scope: { ChatOpenAI, parseReply, ToolConversation, chatEndpoint, createAgent, tool, withToolCalling, z },
  edit: (example) => example.replace("localhost:11434", `127.0.0.1:${port}`),
});
