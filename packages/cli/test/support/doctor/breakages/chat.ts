import type { Json } from "../broken-server.js";
import { type Breakage, callsOf, chunks, DONE, edit } from "./breakage.js";

/** Ways in which servers break chat. */
export const chatBreakages: readonly Breakage[] = [
  {
    title: "tool_choice is not read",
    seen: "Ollama: in none of its APIs",
    api: "chat",
    breaking: {
      request(body) {
        delete body.tool_choice;
      },
    },
    findings: ["chat.tool-choice.required", "chat.tool-choice.named", "chat.tool-choice.none"],
  },
  {
    title: "parallel_tool_calls is not read",
    seen: "Ollama",
    api: "chat",
    breaking: {
      request(body) {
        delete body.parallel_tool_calls;
      },
    },
    findings: ["chat.parallel.single"],
  },
  {
    title: "deltas of calls have no index",
    seen: "client matrix",
    api: "chat",
    breaking: {
      event: chunks(
        edit((chunk) => {
          for (const call of callsOf(chunk)) delete call.index;
        }),
      ),
    },
    findings: ["chat.stream.index"],
    asked: "stream",
  },
  {
    title: "all calls have the index 0",
    seen: "servers that convert from other APIs",
    api: "chat",
    breaking: {
      event: chunks(
        edit((chunk) => {
          for (const call of callsOf(chunk)) call.index = 0;
        }),
      ),
    },
    findings: ["chat.stream.index-of-each"],
  },
  {
    title: "calls have no id",
    seen: "servers that convert from other APIs",
    api: "chat",
    breaking: {
      event: chunks(
        edit((chunk) => {
          for (const call of callsOf(chunk)) delete call.id;
        }),
      ),
    },
    findings: ["chat.stream.call-id"],
    asked: "stream",
  },
  {
    title: "calls have no type",
    seen: "servers that convert from other APIs",
    api: "chat",
    breaking: {
      event: chunks(
        edit((chunk) => {
          for (const call of callsOf(chunk)) delete call.type;
        }),
      ),
    },
    findings: ["chat.stream.call-type"],
    asked: "stream",
  },
  {
    title: "calls end by stop",
    seen: "client matrix",
    api: "chat",
    breaking: {
      event: chunks(
        edit((chunk) => {
          const [choice] = chunk.choices;
          if (choice?.finish_reason) choice.finish_reason = "stop";
        }),
      ),
    },
    findings: ["chat.stream.finish"],
    asked: "stream",
  },
  {
    title: "there is no finish reason",
    seen: "client matrix",
    api: "chat",
    breaking: { event: chunks((chunk) => (chunk.choices[0]?.finish_reason ? undefined : chunk)) },
    findings: ["chat.stream.finish-once"],
    asked: "stream",
  },
  {
    title: "there is no [DONE]",
    seen: "client matrix",
    api: "chat",
    breaking: { event: chunks((chunk) => chunk, "") },
    findings: ["chat.stream.done"],
    asked: "stream",
  },
  {
    title: "there are empty lists of calls",
    seen: "LiteLLM #29286",
    api: "chat",
    breaking: {
      event: chunks(
        edit(({ choices: [choice] }) => {
          if (choice && !choice.delta.tool_calls) choice.delta.tool_calls = [];
        }),
      ),
    },
    findings: ["chat.stream.no-empty-list"],
    asked: "stream",
  },
  {
    title: "a call without arguments has none",
    seen: "client matrix",
    api: "chat",
    breaking: {
      event: chunks(
        edit((chunk) => {
          for (const call of callsOf(chunk)) if (call.function.arguments === "{}") call.function.arguments = "";
        }),
      ),
    },
    findings: ["chat.stream.no-arguments"],
  },
  {
    title: "the name comes in each delta",
    seen: "client matrix",
    api: "chat",
    breaking: {
      event: chunks(
        edit((chunk) => {
          for (const call of callsOf(chunk)) call.function.name ??= "get_weather";
        }),
      ),
    },
    findings: ["chat.stream.name-once"],
    asked: "stream",
  },
  {
    title: "the end of the arguments is missing",
    seen: "streams that are cut",
    api: "chat",
    breaking: {
      event: chunks(
        edit((chunk) => {
          for (const call of callsOf(chunk)) call.function.arguments = call.function.arguments.replace("}", "");
        }),
      ),
    },
    findings: ["chat.stream.arguments"],
    asked: "stream",
  },
  {
    title: "arguments are an object",
    seen: "servers that pass on what Ollama's own API gives",
    api: "chat",
    breaking: {
      whole(body) {
        for (const call of body.choices?.[0]?.message?.tool_calls ?? [])
          call.function.arguments = JSON.parse(call.function.arguments);
        return { body };
      },
    },
    findings: ["chat.whole.calls"],
    asked: "whole",
  },
  {
    title: "keep-alives are empty data",
    seen: "proxies",
    api: "chat",
    breaking: {
      event: (event, write) => [`data: ping\n\n${event === "[DONE]" ? DONE : write(event)}`],
    },
    findings: ["chat.stream.data"],
    asked: "stream",
  },
  {
    title: "usage is not counted",
    seen: "LiteLLM #24176",
    api: "chat",
    breaking: { event: chunks((chunk) => (chunk.usage ? undefined : chunk)) },
    findings: ["chat.stream.usage"],
    asked: "stream",
  },
  {
    title: "a call is left in the text",
    seen: "Ollama's qwen3coder #14834",
    api: "chat",
    breaking: {
      whole(body) {
        const message = body.choices?.[0]?.message;
        const [call] = message?.tool_calls ?? [];
        if (!call) return {};
        const { name, arguments: args } = call.function;
        message.content = `<tool_call>{"name": "${name}", "arguments": ${args}}</tool_call>`;
        delete message.tool_calls;
        body.choices[0].finish_reason = "stop";
        return { body };
      },
    },
    findings: ["chat.calls.read"],
    asked: "whole",
  },
  {
    title: "the whole request fails where the parser fails",
    seen: "llama.cpp #24807",
    api: "chat",
    breaking: {
      request(body, answer) {
        if (body.tools && body.stream && (body.tool_choice ?? "auto") === "auto")
          answer(500, { error: { message: "Failed to parse input at position 12", type: "server_error", code: 500 } });
      },
    },
    findings: ["chat.answers"],
    asked: "stream",
  },
  {
    title: "an error in a stream is a line of its own",
    seen: "llama.cpp: error: {…}",
    api: "chat",
    breaking: {
      failsAt: "Count",
      event: (event, write) => {
        if (event === "[DONE]") return [DONE];
        return event.error ? [`error: ${JSON.stringify(event.error)}\n\n`] : [write(event)];
      },
    },
    findings: ["chat.errors.in-stream", "chat.answers"],
  },
  {
    title: "errors are only a detail",
    seen: "FastAPI",
    api: "chat",
    breaking: { whole: (body, status) => (status < 400 ? {} : { body: { detail: body.error.message } }) },
    findings: ["chat.errors.shape"],
  },
  {
    title: "a wrong request is a failure of the server",
    seen: "servers that do not check",
    api: "chat",
    breaking: { whole: (_, status) => (status < 400 ? {} : { status: 500 }) },
    findings: ["chat.errors.status"],
  },
  {
    title: "what fails at once is a stream",
    seen: "LiteLLM",
    api: "chat",
    breaking: {
      request(body, answer) {
        if (body.stream && typeof body.messages === "string") answer(200, { error: { message: "no", type: "bad" } });
      },
    },
    findings: ["chat.errors.before-stream"],
  },
  {
    title: "answers are text/plain",
    seen: "proxies",
    api: "chat",
    breaking: { headers: (headers) => headers.set("content-type", "text/plain") },
    findings: ["chat.whole.content-type", "chat.stream.content-type"],
    asked: "whole",
  },
  {
    title: "streams are collected first",
    seen: "proxies that buffer",
    api: "chat",
    breaking: { isBuffered: true, pace: 50 },
    findings: ["chat.stream.live"],
  },
  {
    title: "who leaves is not noticed",
    seen: "servers of one request at a time",
    api: "chat",
    breaking: { isDeaf: true },
    findings: ["server.abort"],
  },
  {
    title: "parts of a message are refused",
    seen: "servers with strict templates",
    api: "chat",
    breaking: {
      request(body, answer) {
        if (body.messages?.some?.(({ content }: Json) => Array.isArray(content)))
          answer(400, { error: { message: "content must be a string", type: "invalid_request_error" } });
      },
    },
    findings: ["chat.takes.content-as-parts", "chat.takes.result-as-parts"],
  },
];
