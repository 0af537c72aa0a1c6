import type { Json } from "../broken-server.js";
import { type Breakage, drop, on } from "./breakage.js";

/** Ways in which servers break messages. */
export const messagesBreakages: readonly Breakage[] = [
  {
    title: "arguments are dropped",
    seen: "LiteLLM #25321",
    api: "messages",
    breaking: {
      event: on("content_block_delta", (event, write) =>
        event.delta.partial_json === undefined ? [write(event)] : [],
      ),
    },
    findings: ["messages.stream.input-sent"],
    asked: "stream",
  },
  {
    title: "thoughts are in a block of text",
    seen: "LiteLLM #32357",
    api: "messages",
    breaking: {
      event: on("content_block_delta", (event, write) => {
        if (event.delta.type !== "text_delta") return [write(event)];
        return [write({ ...event, delta: { type: "thinking_delta", thinking: "Hm." } }), write(event)];
      }),
    },
    findings: ["messages.stream.kinds"],
    asked: "stream",
  },
  {
    title: "a message begins twice",
    seen: "LiteLLM #33224",
    api: "messages",
    breaking: { event: on("message_start", (event, write) => [write(event), write(event)]) },
    findings: ["messages.stream.start"],
    asked: "stream",
  },
  {
    title: "a block is not begun",
    seen: "LiteLLM #13373",
    api: "messages",
    breaking: {
      event: on("content_block_start", (event, write) => (event.content_block.type === "text" ? [] : [write(event)])),
    },
    findings: ["messages.stream.blocks"],
    asked: "stream",
  },
  {
    title: "a block is not stopped",
    seen: "client matrix",
    api: "messages",
    breaking: { event: drop("content_block_stop") },
    findings: ["messages.stream.block-stop"],
    asked: "stream",
  },
  {
    title: "the end has no usage",
    seen: "LiteLLM #24176",
    api: "messages",
    breaking: {
      event: on("message_delta", (event, write) => {
        delete event.usage;
        return [write(event)];
      }),
    },
    findings: ["messages.stream.delta"],
    asked: "stream",
  },
  {
    title: "the beginning has no usage",
    seen: "LiteLLM #24176",
    api: "messages",
    breaking: {
      event: on("message_start", (event, write) => {
        delete event.message.usage;
        return [write(event)];
      }),
    },
    findings: ["messages.stream.start-usage"],
    asked: "stream",
  },
  {
    title: "events have no name",
    seen: "client matrix",
    api: "messages",
    breaking: { event: (event) => [`data: ${JSON.stringify(event)}\n\n`] },
    findings: ["messages.stream.events"],
    asked: "stream",
  },
  {
    title: "a message is not stopped",
    seen: "client matrix",
    api: "messages",
    breaking: { event: drop("message_stop") },
    findings: ["messages.stream.stop"],
    asked: "stream",
  },
  {
    title: "calls end by end_turn",
    seen: "servers that convert from other APIs",
    api: "messages",
    breaking: {
      event: on("message_delta", (event, write) => {
        event.delta.stop_reason = "end_turn";
        return [write(event)];
      }),
    },
    findings: ["messages.stream.reason"],
    asked: "stream",
  },
  {
    title: "the input is a text",
    seen: "servers that convert from other APIs",
    api: "messages",
    breaking: {
      whole(body) {
        for (const block of body.content ?? [])
          if (block.type === "tool_use") block.input = JSON.stringify(block.input);
        return { body };
      },
    },
    findings: ["messages.whole.calls"],
    asked: "whole",
  },
  {
    title: "a block has an unknown kind, with the name of a field of every object",
    seen: "a review of our own code",
    api: "messages",
    breaking: {
      event: on("content_block_start", (event, write) => {
        if (event.content_block.type === "text") event.content_block.type = "constructor";
        return [write(event)];
      }),
    },
    findings: [],
  },
  {
    title: "a system message is refused",
    seen: "LM Studio, GLM-5, copilot-api in May 2026",
    api: "messages",
    breaking: {
      request(body, answer) {
        if (body.messages?.some?.(({ role }: Json) => role === "system"))
          answer(400, {
            type: "error",
            error: { type: "invalid_request_error", message: "role system is not supported" },
          });
      },
    },
    findings: ["messages.takes.system-message"],
  },
  {
    title: "fields that are not known are refused",
    seen: "servers that check strictly",
    api: "messages",
    breaking: {
      request(body, answer) {
        if (body.context_management)
          answer(400, {
            type: "error",
            error: { type: "invalid_request_error", message: "Extra inputs are not permitted" },
          });
      },
    },
    findings: ["messages.takes.beta-fields"],
  },
  {
    title: "tokens are not counted",
    seen: "Ollama",
    api: "messages",
    breaking: {
      request(_, answer, path) {
        if (path.endsWith("/count_tokens"))
          answer(404, { type: "error", error: { type: "not_found_error", message: "not found" } });
      },
    },
    findings: ["messages.count-tokens"],
  },
];
