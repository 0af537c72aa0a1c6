import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { delta, event, reply, status, stream, usage } from "../../endpoints/test/support/scripted-server.js";
import { createGateway } from "../src/index.js";
import { call, gatewayBefore, parameters } from "./support/gateway.js";

const spans = new InMemorySpanExporter();
const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 });
const meters = new MeterProvider({ readers: [reader] });
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
metrics.setGlobalMeterProvider(meters);
afterAll(() => meters.shutdown());

beforeEach(async () => {
  await reader.forceFlush();
  spans.reset();
  measured.reset();
});

/** The points of the histograms, by their names. */
async function points() {
  await reader.forceFlush();
  const found = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  return Object.fromEntries(
    found.map(({ descriptor, dataPoints }) => [
      descriptor.name,
      dataPoints.map(({ attributes, value }) => ({ ...attributes, ...(value as Histogram) })),
    ]),
  );
}

const tools = [{ type: "function", function: { name: "get_weather", parameters } }];
const asked = { model: "m", messages: [{ role: "user", content: "Secret question" }] };
const path = "/v1/chat/completions";
const calling = stream([delta(call({ city: "Oslo" })), delta({}, "stop"), usage(10, 5)]);

describe("a span", () => {
  it.each([false, true])("describes a request, without its text; streamed: %s", async (isStreamed) => {
    const wrong = stream([...reply(call({}, "nope"))]);
    const { post, upstream } = await gatewayBefore([wrong, calling], { model: { aliases: ["gpt-*"] } });
    const sampling = {
      temperature: 0.5,
      top_p: 0.9,
      seed: 3,
      max_tokens: 100,
      stop: ["Secret end"],
      presence_penalty: 1,
    };
    const headers = { "x-request-id": "r1" };
    const body = { ...asked, ...sampling, model: "gpt-5", tools, stream: isStreamed };
    await (await post(path, body, headers)).text();
    const [span, ...others] = spans.getFinishedSpans();
    expect(others).toEqual([]);
    expect(span).toMatchObject({ name: "chat m", kind: SpanKind.CLIENT, status: { code: SpanStatusCode.UNSET } });
    expect(span?.attributes).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "toolingua",
      "gen_ai.request.model": "m",
      "gen_ai.output.type": "text",
      "gen_ai.request.temperature": 0.5,
      "gen_ai.request.top_p": 0.9,
      "gen_ai.request.seed": 3,
      "gen_ai.request.max_tokens": 100,
      "gen_ai.request.presence_penalty": 1,
      "gen_ai.response.finish_reasons": ["tool_call"],
      "gen_ai.usage.input_tokens": 17,
      "gen_ai.usage.output_tokens": expect.any(Number),
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(upstream.baseURL).port),
      "toolingua.api": "chat",
      "toolingua.request.id": "r1",
      "toolingua.calls": 1,
      "toolingua.reply_retries": 1,
      ...(isStreamed && {
        "gen_ai.request.stream": true,
        "gen_ai.response.time_to_first_chunk": expect.any(Number),
      }),
    });
    expect(JSON.stringify(span?.attributes)).not.toMatch(/Secret|Oslo/);
  });

  it("has the tokens of caches and of reasoning, if the upstream counts them", async () => {
    const details = { prompt_tokens_details: { cached_tokens: 6 }, completion_tokens_details: { reasoning_tokens: 2 } };
    const counts = event({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, ...details } });
    const { post } = await gatewayBefore([stream([delta("Hi"), delta({}, "stop"), counts])]);
    await (await post(path, asked)).text();
    expect(spans.getFinishedSpans()[0]?.attributes).toMatchObject({
      "gen_ai.usage.cache_read.input_tokens": 6,
      "gen_ai.usage.reasoning.output_tokens": 2,
    });
  });

  it("belongs to the client's trace, and spans of the model's client belong to it", async () => {
    const model = async function* () {
      trace.getTracer("test").startSpan("asked").end();
      yield "Hel";
      trace.getTracer("test").startSpan("went on").end();
      yield "lo";
    };
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    for (const isStreamed of [false, true]) {
      spans.reset();
      const { fetch } = createGateway({ models: [{ name: "m", model }] });
      const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
      const body = JSON.stringify({ ...asked, stream: isStreamed });
      await (await fetch(new Request(`http://gateway${path}`, { method: "POST", body, headers }))).text();
      const all = spans.getFinishedSpans();
      const span = all.find(({ name }) => name === "chat m");
      expect(span?.parentSpanContext).toMatchObject({ traceId, spanId: "b7ad6b7169203331" });
      const inner = all.filter(({ name }) => name !== "chat m");
      expect(inner.map(({ name }) => name)).toEqual(["asked", "went on"]);
      for (const { parentSpanContext } of inner) expect(parentSpanContext?.spanId).toBe(span?.spanContext().spanId);
    }
  });

  it("contains the text if the configuration says so", async () => {
    const model = async function* () {
      yield { reasoning: "Hmm." };
      yield `I look. ${call({ city: "Oslo" })}`;
    };
    const { fetch } = createGateway({
      models: [{ name: "m", protocol: "hermes", model }],
      telemetry: { content: true },
    });
    const body = {
      model: "m",
      instructions: "Be brief.",
      tools: [{ type: "function", ...tools[0]!.function }],
      input: [
        { role: "user", content: "Weather?" },
        { type: "function_call", call_id: "c1", name: "get_weather", arguments: '{"city":"Rome"}' },
        { type: "function_call_output", call_id: "c1", output: "rain" },
      ],
    };
    const request = new Request("http://gateway/v1/responses", { method: "POST", body: JSON.stringify(body) });
    await (await fetch(request)).text();
    const [span] = spans.getFinishedSpans();
    const json = (name: string) => JSON.parse(String(span?.attributes[name]));
    expect(json("gen_ai.system_instructions")).toEqual([{ type: "text", content: "Be brief." }]);
    const rome = { type: "tool_call", id: "c1", name: "get_weather", arguments: { city: "Rome" } };
    expect(json("gen_ai.input.messages")).toEqual([
      { role: "user", parts: [{ type: "text", content: "Weather?" }] },
      { role: "assistant", parts: [rome] },
      { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "rain" }] },
    ]);
    expect(json("gen_ai.output.messages")).toEqual([
      {
        role: "assistant",
        parts: [
          { type: "reasoning", content: "Hmm." },
          { type: "text", content: expect.stringContaining("I look.") },
          { type: "tool_call", id: expect.any(String), name: "get_weather", arguments: { city: "Oslo" } },
        ],
        finish_reason: "tool_call",
      },
    ]);
    expect(json("gen_ai.tool.definitions")).toEqual([{ type: "function", name: "get_weather", parameters }]);
  });

  it("has the type of the error that ended the request, without its message", async () => {
    const { post } = await gatewayBefore([
      status(400, { error: { message: "bad: Secret question" } }),
      stream([delta("Half")]),
    ]);
    await (await post(path, asked)).text();
    await (await post(path, { ...asked, stream: true })).text();
    await (await post(path, { ...asked, model: "other" })).text();
    const all = spans.getFinishedSpans();
    expect(all.map(({ attributes }) => attributes["error.type"])).toEqual(["upstream_http", "upstream_cut_off"]);
    for (const span of all) expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
  });

  it("and its metrics have an upstream's error code only if it is one word", async () => {
    const said = (code: string) => status(400, { error: { message: "no", code } });
    const { post } = await gatewayBefore([said("gpu_gone.7"), said("Secret question"), said("x".repeat(65))]);
    for (let i = 0; i < 3; i++) await (await post(path, asked)).text();
    const types = ["gpu_gone.7", "upstream_http", "upstream_http"];
    expect(spans.getFinishedSpans().map(({ attributes }) => attributes["error.type"])).toEqual(types);
    const durations = (await points())["gen_ai.client.operation.duration"]!;
    expect(durations).toMatchObject([{ "error.type": "gpu_gone.7" }, { "error.type": "upstream_http", count: 2 }]);
  });

  it("has stop sequences only together with the text", async () => {
    const { gateway, post } = await gatewayBefore([stream(reply("Hi")), stream(reply("Hi"))]);
    const body = { ...asked, stop: ["Secret end"] };
    await (await post(path, body)).text();
    gateway.reload({
      models: [
        {
          name: "m",
          model: async function* () {
            yield "Hi";
          },
        },
      ],
      telemetry: { content: true },
    });
    await (await post(path, body)).text();
    const found = spans.getFinishedSpans().map(({ attributes }) => attributes["gen_ai.request.stop_sequences"]);
    expect(found).toEqual([undefined, ["Secret end"]]);
  });

  it("ends when the client leaves", async () => {
    const { gateway } = await gatewayBefore([stream([delta("Half")], { end: false })]);
    const stop = new AbortController();
    const body = JSON.stringify({ ...asked, stream: true });
    const response = await fetch(gateway.url + path, { method: "POST", body, signal: stop.signal });
    await response.body?.getReader().read();
    stop.abort();
    await expect.poll(() => spans.getFinishedSpans().length).toBe(1);
    expect(spans.getFinishedSpans()[0]?.attributes["error.type"]).toBe("client_gone");
  });
});

describe("metrics", () => {
  it("are the duration and tokens of each operation, in the buckets of the conventions", async () => {
    const { post } = await gatewayBefore([calling, status(500)], { model: { backend: "vllm" } });
    await (await post(path, { ...asked, tools })).text();
    const refused = await post("/v1/messages", { ...asked, max_tokens: 5 });
    await refused.text();
    const common = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "vllm",
      "gen_ai.request.model": "m",
    };
    const found = await points();
    const durations = found["gen_ai.client.operation.duration"]!;
    expect(durations).toMatchObject([
      { ...common, count: 1 },
      { ...common, count: 1, "error.type": "upstream_http" },
    ]);
    expect(durations[0]?.buckets.boundaries.slice(0, 3)).toEqual([0.01, 0.02, 0.04]);
    expect(found["gen_ai.client.token.usage"]).toMatchObject([
      { ...common, "gen_ai.token.type": "input", sum: 10 },
      { ...common, "gen_ai.token.type": "output", sum: 5 },
    ]);
  });
});

describe("its configuration", () => {
  it("is checked", () => {
    const models = [{ name: "m", upstream: { baseURL: "http://127.0.0.1:1/v1" } }];
    const of = (telemetry: unknown) => () => createGateway({ models, telemetry } as never);
    expect(of({ contnet: true })).toThrow(/telemetry\.contnet: .*Did you mean "content"/);
    expect(of({ content: "yes" })).toThrow(/telemetry\.content: must be true or false/);
  });
});
