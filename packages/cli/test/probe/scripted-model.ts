import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getProtocol, type ProtocolName, renderPrompt, type ToolChoice } from "@toolingua/core";
import { onTestFinished } from "vitest";
import { mostQuestions, questions } from "../../src/probe/questions/bank.js";
import type { Question } from "../../src/probe/questions/question.js";
import { randomOf } from "./simulation.js";

/** A model behind a server, that knows all answers but speaks one format only. */
export interface ScriptedModel {
  speaks: ProtocolName;
  /**
   * `always`: it writes its calls so, whatever it is asked for; `asked`: only where it is asked for that format, and else it
   * talks of what it would do.
   */
  writes: "always" | "asked";
  /** How often it gets a question wrong that it could answer. */
  noise?: number;
  /** Its chat template, at `/props`. */
  template?: string;
  /** What becomes of a request with tools. */
  serverTools?: "right" | "refused" | "crash";
  models?: { id: string; owned_by?: string }[];
  /** Answers in place of the model, for the request with this number (from 1). */
  instead?(response: ServerResponse, number: number): boolean;
}

interface ChatRequest {
  messages: { role: string; content: string }[];
  tools?: unknown[];
  stream?: boolean;
}

/** A server on loopback with such a model. It stops when the test ends. */
export async function scriptedModel(model: ScriptedModel) {
  const requests: ChatRequest[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    const body = await read(request);
    if (path === "/v1/models") return json(response, 200, { data: model.models ?? [{ id: "scripted" }] });
    if (path === "/props" && model.template !== undefined)
      return json(response, 200, { chat_template: model.template, model_path: "/models/scripted.gguf" });
    if (path !== "/v1/chat/completions") return json(response, 404, { error: { message: "no such path" } });
    const asked: ChatRequest = JSON.parse(body);
    requests.push(asked);
    if (model.instead?.(response, requests.length)) return;
    if (asked.tools) return serverTools(response, model, asked);
    stream(response, replyOf(model, asked));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

const bank = questions(mostQuestions());
const byContent = new Map(bank.map((question) => [question.content, question]));

function replyOf(model: ScriptedModel, { messages }: ChatRequest): string {
  const question = questionOf(messages);
  const { speaks, writes, noise = 0 } = model;
  const asked = (toolChoice: ToolChoice) => {
    const prompt = { messages: [{ role: "user" as const, content: "" }], tools: question.tools, toolChoice };
    return renderPrompt({ ...prompt, protocol: speaks }).messages[0]?.content;
  };
  const system = messages.find(({ role }) => role === "system")?.content ?? "";
  const random = randomOf(hashOf(JSON.stringify(messages)));
  const isWrong = random() < noise;
  if (question.calls.length === 0)
    return isWrong ? written(model, question, noCallNeeded(question)) : "Of course. It is so.";
  const understood =
    writes === "always" || (["auto", "required"] as const).some((toolChoice) => system === asked(toolChoice));
  if (!understood) return `I would use ${question.calls[0]?.name}.`;
  if (!isWrong) return written(model, question, callsOf(question));
  const mistakes = [
    () => "I am not sure what to do.",
    () => written(model, question, [...callsOf(question), ...callsOf(question).slice(0, 1)].slice(1)).slice(0, -12),
    () =>
      written(
        model,
        question,
        callsOf(question).map(({ name }) => ({ name, arguments: {} })),
      ),
  ];
  return (mistakes[Math.floor(random() * mistakes.length)] ?? mistakes[0])?.() ?? "";
}

const written = ({ speaks }: ScriptedModel, { tools }: Question, calls: ReturnType<typeof callsOf>) =>
  getProtocol(speaks).renderCalls(calls, { tools });

/** The right calls, with the first value of each argument that is not left out. */
export const callsOf = ({ calls }: Question) =>
  calls.map(({ name, arguments: args }) => ({
    name,
    arguments: Object.fromEntries(
      Object.entries(args).flatMap(([key, [value]]) => (value === undefined ? [] : [[key, value]])),
    ),
  }));

const noCallNeeded = ({ tools: [tool] }: Question) => (tool ? [{ name: tool.name, arguments: {} }] : []);

function questionOf(messages: ChatRequest["messages"]): Question {
  const said = messages.at(-1)?.content ?? "";
  // If a call is required, the prompt says so after the question.
  const found = byContent.get(said) ?? byContent.get(said.split("\n\n")[0] ?? "");
  if (!found) throw new Error(`No question: ${said}`);
  return found;
}

function serverTools(response: ServerResponse, model: ScriptedModel, { messages }: ChatRequest): void {
  const { serverTools: how = "refused" } = model;
  if (how === "refused") return json(response, 400, { error: { message: "this model does not support tools" } });
  if (how === "crash") return json(response, 500, { error: { message: "Failed to parse input at pos 3" } });
  const calls = callsOf(questionOf(messages));
  const tool_calls = calls.map((call, i) => ({
    id: `call_${i}`,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  json(response, 200, {
    choices: [
      {
        message: { role: "assistant", content: calls.length > 0 ? null : "It is so.", tool_calls },
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 200, completion_tokens: 20 },
  });
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function stream(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (payload: unknown) => response.write(`data: ${JSON.stringify(payload)}\n\n`);
  for (const piece of text.match(/[\s\S]{1,7}/g) ?? []) send({ choices: [{ index: 0, delta: { content: piece } }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  send({ choices: [], usage: { prompt_tokens: 100, completion_tokens: Math.ceil(text.length / 4) } });
  response.end("data: [DONE]\n\n");
}

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}
