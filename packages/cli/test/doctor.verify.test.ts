import { resolveModel } from "@toolingua/llama-cpp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LlamaServer, llamaServerMissing, startLlamaServer } from "../../endpoints/test/support/llama-server.js";
import { examine } from "../src/doctor/examine.js";
import type { Report } from "../src/doctor/report.js";

// A server that nobody scripted: llama.cpp's own, with two small models.

describe.each(["smollm2-135m", "gemma3-270m"])("llama.cpp's own server with %s", (model) => {
  let server: LlamaServer;
  let report: Report;

  beforeAll(async () => {
    expect(llamaServerMissing()).toBeUndefined();
    server = await startLlamaServer((await resolveModel(model)).path);
    report = await examine({
      ...{ url: server.baseURL, maxTokens: 128, timeout: 300_000, patience: 60_000 },
      signal: new AbortController().signal,
    });
    const shown = report.checks.filter(({ status }) => status === "fault" || status === "warning");
    for (const { status, id, seen } of shown) console.log(`${status} ${id}: ${seen}`);
    console.log(`${model}: ${JSON.stringify(report.counts)}, ${report.requests} requests, ${report.duration} ms`);
    for (const { title, api, status, because } of report.clients) console.log(title, api, status, because.join(" "));
  }, 1_200_000);
  afterAll(() => server?.kill());

  test("has all three APIs, with correct answers, streams and shutdown", () => {
    expect(report.apis.map(({ served }) => served)).toEqual([true, true, true]);
    const right = ["chat", "responses", "messages"].flatMap((api) => [`${api}.answers`, `${api}.stream.live`]);
    const failed = report.checks.filter(
      ({ id, status }) => [...right, "server.abort"].includes(id) && status !== "pass",
    );
    expect(failed).toEqual([]);
  });

  test("is reported as broken where it is, whatever the model writes", () => {
    const faults = report.checks.filter(({ status }) => status === "fault").map(({ id }) => id);
    // Items of reasoning without content, errors of Messages in OpenAI's shape, and a failure for a request without messages.
    expect(faults).toEqual(
      expect.arrayContaining(["responses.takes.reasoning-items", "messages.errors.shape", "messages.errors.status"]),
    );
  });
});
