import { expect, test } from "vitest";
import { readFinishReason } from "../../index.js";

test.each([
  [{ finish_reason: "length" }, "length"],
  [{ finish_reason: "model_length" }, "length"],
  [{ stop_reason: "max_tokens" }, "length"],
  [{ finishReason: "MAX_TOKENS" }, "length"],
  [{ stopReason: "max_tokens" }, "length"],
  [{ messageStop: { stopReason: "max_tokens" } }, "length"],
  [{ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }, "length"],
  [{ finish_reason: "content_filter" }, "content-filter"],
  [{ finishReason: "content-filter" }, "content-filter"],
  [{ finishReason: "IMAGE_PROHIBITED_CONTENT" }, "content-filter"],
  [{ stop_reason: "refusal" }, "content-filter"],
  [{ finishReason: "PROHIBITED_CONTENT" }, "content-filter"],
  [{ stopReason: "guardrail_intervened" }, "content-filter"],
  [{ status: "incomplete", incomplete_details: { reason: "content_filter" } }, "content-filter"],
  [{ done_reason: "stop" }, "stop"],
  [{ finish_reason: "tool_calls" }, "stop"],
  [{ status: "completed", incomplete_details: null }, undefined],
  [{ finish_reason: null }, undefined],
  [{}, undefined],
])("%o ended with %s", (fields, reason) => {
  expect(readFinishReason(fields)).toBe(reason);
});
