import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ChatOpenAI } from "@langchain/openai";
import * as aiSdk from "@toolingua/ai-sdk";
import { parseReply } from "@toolingua/core";
import { ToolConversation } from "@toolingua/core/conversation";
import { chatEndpoint } from "@toolingua/endpoints";
import * as langchainAdapter from "@toolingua/langchain";
import * as ai from "ai";
import * as langchain from "langchain";
import { z } from "zod";
import { reply } from "../../packages/endpoints/test/support/scripted-server.js";
import { loopbackServer } from "../support/loopback-server.js";
import { describeReadme } from "../support/readme-examples.js";

// The front page, in front of a server that answers as a model without tools of its own does.

const port = await loopbackServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  const said = answerTo(body);
  const { stream } = JSON.parse(body);
  const message = { role: "assistant", content: said };
  const whole = { object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] };
  response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
  response.end(stream ? reply(said).join("") : JSON.stringify(whole));
});

function answerTo(body: string): string {
  const [name, args, answer] = body.includes("Tokyo")
    ? (["get_time", { zone: "Asia/Tokyo" }, "It is noon in Tokyo."] as const)
    : (["get_weather", { city: "Oslo" }, "The sun shines in Oslo."] as const);
  const isAnswered = /Sun in Oslo|\d\d:\d\d:\d\d/.test(body);
  return isAnswered ? answer : `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
}

describeReadme(new URL("../../README.md", import.meta.url), {
  count: 4,
  scope: { ChatOpenAI, createOpenAICompatible, parseReply, ToolConversation, chatEndpoint, z },
  entries: {
    ai: { ...ai },
    langchain: { ...langchain },
    "@toolingua/ai-sdk": { ...aiSdk },
    "@toolingua/langchain": { ...langchainAdapter },
  },
  edit: (example) => example.replace("localhost:11434", `127.0.0.1:${port}`),
});
