import type { Json } from "../broken-server.js";
import { type Breakage, drop, on } from "./breakage.js";

/** Ways in which servers break responses. */
export const responsesBreakages: readonly Breakage[] = [
  {
    title: "items have another id in the end",
    seen: "vLLM PR #56285",
    api: "responses",
    breaking: {
      event: on("response.completed", (event, write) => {
        for (const item of event.response.output) item.id = `other_${item.id}`;
        return [write(event)];
      }),
    },
    findings: ["responses.stream.ids"],
    asked: "stream",
  },
  {
    title: "arguments are never done",
    seen: "vLLM PR #56285",
    api: "responses",
    breaking: { event: drop("response.function_call_arguments.done") },
    findings: ["responses.stream.arguments"],
    asked: "stream",
  },
  {
    title: "a message is closed and was never opened",
    seen: "LiteLLM #37852",
    api: "responses",
    breaking: {
      event: on("response.output_item.added", (event, write) => (event.item.type === "message" ? [] : [write(event)])),
    },
    findings: ["responses.stream.added"],
    asked: "stream",
  },
  {
    title: "text has no part",
    seen: "client matrix",
    api: "responses",
    breaking: { event: drop("response.content_part.added") },
    findings: ["responses.stream.parts"],
    asked: "stream",
  },
  {
    title: "items are never done",
    seen: "client matrix",
    api: "responses",
    breaking: { event: drop("response.output_item.done") },
    findings: ["responses.stream.done"],
    asked: "stream",
  },
  {
    title: "a stream is never completed",
    seen: "client matrix",
    api: "responses",
    breaking: { event: drop("response.completed") },
    findings: ["responses.stream.completed"],
    asked: "stream",
  },
  {
    title: "a stream is not created",
    seen: "client matrix",
    api: "responses",
    breaking: { event: drop("response.created") },
    findings: ["responses.stream.created"],
    asked: "stream",
  },
  {
    title: "events have no number",
    seen: "client matrix",
    api: "responses",
    breaking: {
      event: (event, write) => {
        delete event.sequence_number;
        return [write(event)];
      },
    },
    findings: ["responses.stream.numbers"],
    asked: "stream",
  },
  {
    title: "the end has no items",
    seen: "Codex's own backend",
    api: "responses",
    breaking: {
      event: on("response.completed", (event, write) => {
        event.response.output = [];
        return [write(event)];
      }),
    },
    findings: ["responses.stream.output"],
    asked: "stream",
  },
  {
    title: "unknown types of tools are refused",
    seen: "ik_llama.cpp PR #1964",
    api: "responses",
    breaking: {
      request(body, answer) {
        if (body.tools?.some(({ type }: Json) => type !== "function"))
          answer(400, { error: { message: "'type' of tool must be 'function'", type: "invalid_request_error" } });
      },
    },
    findings: ["responses.takes.codex-s-request"],
  },
  {
    title: "previous_response_id is not read",
    seen: "Ollama",
    api: "responses",
    breaking: {
      request(body) {
        delete body.previous_response_id;
      },
    },
    findings: ["responses.previous"],
  },
];
