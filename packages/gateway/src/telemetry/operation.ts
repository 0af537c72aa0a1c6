import {
  type Attributes,
  type Context,
  context,
  type Histogram,
  type MeterProvider,
  metrics,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { Reply, TurnRequest } from "../apis/api.js";
import type { ServedModel } from "../models/served-model.js";
import type { RequestRecord } from "../operation/request-record.js";
import { finishReason, inputContent, outputContent } from "./content.js";
import { attribute, metric, OPERATION } from "./semantic-conventions.js";

const SCOPE = "@toolingua/gateway";

/** The facts known at the start of an operation. */
export interface OperationStart {
  request: TurnRequest;
  model: ServedModel;
  api: RequestRecord["api"];
  requestId: string;
  headers: Headers;
  /** Whether spans contain the text of prompts and replies. */
  withContent: boolean;
}

/** One request to a model in OpenTelemetry: a span, and two metrics at its end. */
export interface Operation {
  /** The context in which the model is called: spans of the HTTP client become children. */
  context: Context;
  end(record: RequestRecord, replies: readonly Reply[]): void;
}

/**
 * Begins an operation, recorded by the SDK that the application has registered; without one it costs almost nothing.
 * The parent is the active span, else the span of the client's `traceparent`.
 */
export function beginOperation(start: OperationStart): Operation {
  const { request, model, withContent } = start;
  const active = context.active();
  const parent = trace.getSpan(active) ? active : propagation.extract(active, start.headers, headerGetter);
  const common = {
    [attribute.operationName]: OPERATION,
    [attribute.providerName]: model.config.backend ?? "toolingua",
    [attribute.requestModel]: model.name,
  };
  const attributes = { ...common, ...serverOf(model), ...requestAttributes(start) };
  const span = trace
    .getTracer(SCOPE)
    .startSpan(`${OPERATION} ${model.name}`, { kind: SpanKind.CLIENT, attributes }, parent);
  const isRecorded = span.isRecording();
  if (isRecorded && withContent) span.setAttributes(inputContent(request.conversation));
  return {
    context: trace.setSpan(parent, span),
    end(record, replies) {
      const errorType = errorTypeOf(record);
      if (isRecorded) {
        span.setAttributes(responseAttributes(record, replies));
        if (withContent && replies.length > 0) span.setAttributes(outputContent(replies));
        // An upstream's message may repeat the prompt, so only the kind of the error is recorded.
        if (errorType !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
      measure(record, common, errorType);
    },
  };
}

function measure({ ms, usage }: RequestRecord, common: Attributes, errorType: string | undefined): void {
  const { duration, tokens } = instruments();
  duration.record(ms / 1000, errorType === undefined ? common : { ...common, [attribute.errorType]: errorType });
  if (!usage) return;
  tokens.record(usage.inputTokens, { ...common, [attribute.tokenType]: "input" });
  tokens.record(usage.outputTokens, { ...common, [attribute.tokenType]: "output" });
}

interface Instruments {
  provider: MeterProvider;
  duration: Histogram;
  tokens: Histogram;
}

/** The instruments of the current SDK. A meter obtained before an SDK is registered stays without one. */
let made: Instruments | undefined;

function instruments(): Instruments {
  const provider = metrics.getMeterProvider();
  if (made?.provider === provider) return made;
  const meter = provider.getMeter(SCOPE);
  const histogram = ({ name, description, unit, buckets }: (typeof metric)[keyof typeof metric]) =>
    meter.createHistogram(name, { description, unit, advice: { explicitBucketBoundaries: [...buckets] } });
  made = { provider, duration: histogram(metric.duration), tokens: histogram(metric.tokens) };
  return made;
}

function requestAttributes({ request, api, requestId, withContent }: OperationStart): Attributes {
  const { maxTokens, temperature, seed, stop, fields = {}, answerSchema } = request.options;
  const number = (value: unknown) => (typeof value === "number" ? value : undefined);
  return {
    [attribute.api]: api,
    [attribute.requestId]: requestId,
    [attribute.outputType]: answerSchema ? "json" : "text",
    [attribute.requestStream]: request.stream || undefined,
    [attribute.requestChoiceCount]: request.choices === 1 ? undefined : request.choices,
    [attribute.requestMaxTokens]: maxTokens,
    [attribute.requestTemperature]: temperature,
    [attribute.requestSeed]: seed,
    [attribute.requestStopSequences]: withContent && stop ? [...stop] : undefined,
    [attribute.requestTopP]: number(fields.top_p),
    [attribute.requestTopK]: number(fields.top_k),
    [attribute.requestFrequencyPenalty]: number(fields.frequency_penalty),
    [attribute.requestPresencePenalty]: number(fields.presence_penalty),
  };
}

function responseAttributes(record: RequestRecord, replies: readonly Reply[]): Attributes {
  const { usage, firstMs, calls, attempts, replies: count } = record;
  return {
    [attribute.responseFinishReasons]:
      replies.length > 0 ? replies.map(({ finish }) => finishReason(finish)) : undefined,
    [attribute.responseTimeToFirstChunk]: firstMs === undefined ? undefined : firstMs / 1000,
    [attribute.usageInputTokens]: usage?.inputTokens,
    [attribute.usageOutputTokens]: usage?.outputTokens,
    [attribute.usageCacheReadTokens]: usage?.cacheReadTokens,
    [attribute.usageCacheWriteTokens]: usage?.cacheWriteTokens,
    [attribute.usageReasoningTokens]: usage?.reasoningTokens,
    [attribute.calls]: calls,
    [attribute.retries]: attempts === undefined ? undefined : attempts - (count ?? 0),
    [attribute.errorType]: errorTypeOf(record),
  };
}

function errorTypeOf({ error, status }: RequestRecord): string | undefined {
  if (error) return error.code ?? error.kind;
  return status === 499 ? "client_gone" : undefined;
}

/** The server's address. With several upstreams it is unknown until one answers. */
function serverOf({ config }: ServedModel): Attributes {
  if (!config.upstream) return {};
  const { hostname, port, protocol } = new URL(config.upstream.baseURL);
  return {
    [attribute.serverAddress]: hostname,
    [attribute.serverPort]: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
  };
}

const headerGetter = {
  keys: (headers: Headers) => [...headers.keys()],
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
};
