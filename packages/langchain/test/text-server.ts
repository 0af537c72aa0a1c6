import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A message as the server was sent it. */
export interface SentMessage {
  role: string;
  content: string;
}

/** What the model behind the server answers to these messages. */
export type Brain = (messages: SentMessage[], request: number) => string;

/**
 * A server whose model only writes text, over the HTTP APIs of several providers. Tools in a request are refused as each
 * provider refuses them. Content that is not a string is an error, as it is for the strict ones.
 */
export class TextServer {
  /** The bodies of all requests, refused ones too. */
  readonly requests: Record<string, unknown>[] = [];
  /** Requests whose connection was closed before the answer's end. */
  closed = 0;
  brain: Brain = () => "Hello.";
  #answered = 0;
  readonly #server = createServer((request, response) => void this.#handle(request, response));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  reset(brain: Brain): void {
    this.brain = brain;
    this.requests.length = 0;
    this.#answered = 0;
    this.closed = 0;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += chunk;
    const whole = JSON.parse(text || "{}") as Record<string, unknown>;
    // Portkey's client puts the request into `params`, next to the target.
    const fields = (whole.params ?? whole) as Record<string, unknown>;
    const sent = (fields.messages ?? fields.Messages ?? []) as Record<string, unknown>[];
    this.requests.push(fields);
    response.on("close", () => {
      if (!response.writableEnded) this.closed++;
    });
    const path = request.url ?? "";
    const json = (status: number, value: unknown) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    };
    if (Array.isArray(fields.tools) && fields.tools.length > 0) {
      const message = `${String(fields.model)} does not support tools`;
      json(400, path.startsWith("/api/chat") ? { error: message } : { error: { message, type: "api_error" } });
      return;
    }
    const messages = sent.map(({ role, sender_type, Role, content, text, Content }) => ({
      role: String(role ?? sender_type ?? Role),
      content: textOf(content ?? text ?? Content),
    }));
    const reply = this.brain(messages, this.#answered++);
    const pieces = reply.match(/[\s\S]{1,5}/g) ?? [""];
    const tokens = { in: messages.reduce((sum, { content }) => sum + content.length, 0), out: reply.length };
    if (path.startsWith("/api/chat")) await ollama(response, pieces, tokens);
    else if (path.includes("foundationModels")) {
      json(200, { result: { alternatives: [{ message: { text: reply } }], usage: { totalTokens: "1" } } });
    } else if (path.includes("/minimax/")) {
      const message = { sender_type: "BOT", text: reply };
      json(200, { choices: [{ messages: [message] }], base_resp: { status_code: 0 } });
    } else if (path.includes("/hunyuan/")) {
      const chunk = (Content: string, FinishReason = "") => ({ Choices: [{ Delta: { Content }, FinishReason }] });
      await events(response, [...pieces.map((piece) => chunk(piece)), chunk("", "stop")], "");
    } else if (path.includes("/cf/")) {
      if (fields.stream !== true) json(200, { result: { response: reply } });
      else
        await events(
          response,
          pieces.map((piece) => ({ response: piece })),
        );
    } else if (fields.stream === true) await events(response, openAIChunks(fields, pieces, tokens));
    else {
      const choice = { index: 0, message: { role: "assistant", content: reply }, finish_reason: "stop" };
      json(200, {
        id: "chatcmpl-1",
        object: "chat.completion",
        model: fields.model,
        choices: [choice],
        usage: openAIUsage(tokens),
      });
    }
  }
}

const textOf = (content: unknown): string => {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map((part: { text?: string }) => part.text ?? "").join("");
  throw new Error("text server: content that is no text");
};

type Tokens = { in: number; out: number };
const openAIUsage = (tokens: Tokens) => ({
  prompt_tokens: tokens.in,
  completion_tokens: tokens.out,
  total_tokens: tokens.in + tokens.out,
});

function openAIChunks({ model, stream_options }: Record<string, unknown>, pieces: string[], tokens: Tokens): unknown[] {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    model,
    choices: [{ index: 0, delta, finish_reason }],
  });
  return [
    chunk({ role: "assistant", content: "" }),
    ...pieces.map((content) => chunk({ content })),
    chunk({}, "stop"),
    // Only those who ask are sent a chunk without choices.
    ...(stream_options ? [{ ...chunk({}), choices: [], usage: openAIUsage(tokens) }] : []),
  ];
}

async function events(response: ServerResponse, values: unknown[], end = "data: [DONE]\n\n"): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const value of values) await send(response, `data: ${JSON.stringify(value)}\n\n`);
  response.end(end);
}

async function ollama(response: ServerResponse, pieces: string[], tokens: Tokens): Promise<void> {
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  const line = (fields: object) => `${JSON.stringify({ model: "gemma3", created_at: new Date(0), ...fields })}\n`;
  for (const content of pieces) await send(response, line({ message: { role: "assistant", content }, done: false }));
  const end = { done_reason: "stop", prompt_eval_count: tokens.in, eval_count: tokens.out };
  response.end(line({ message: { role: "assistant", content: "" }, done: true, ...end }));
}

/** Each piece is a packet of its own, so that a reader sees it as it comes. */
async function send(response: ServerResponse, text: string): Promise<void> {
  response.write(text);
  await new Promise((resolve) => setImmediate(resolve));
}
