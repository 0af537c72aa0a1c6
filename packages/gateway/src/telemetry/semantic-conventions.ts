// Names of OpenTelemetry's conventions for generative AI. Pinned, because the conventions still change.
// https://github.com/open-telemetry/semantic-conventions-genai, version 0.1.0.

/** The attributes of spans and metrics. */
export const attribute = {
  operationName: "gen_ai.operation.name",
  providerName: "gen_ai.provider.name",
  outputType: "gen_ai.output.type",
  requestModel: "gen_ai.request.model",
  requestStream: "gen_ai.request.stream",
  requestSeed: "gen_ai.request.seed",
  requestChoiceCount: "gen_ai.request.choice.count",
  requestMaxTokens: "gen_ai.request.max_tokens",
  requestTemperature: "gen_ai.request.temperature",
  requestTopP: "gen_ai.request.top_p",
  requestTopK: "gen_ai.request.top_k",
  requestStopSequences: "gen_ai.request.stop_sequences",
  requestFrequencyPenalty: "gen_ai.request.frequency_penalty",
  requestPresencePenalty: "gen_ai.request.presence_penalty",
  responseFinishReasons: "gen_ai.response.finish_reasons",
  responseTimeToFirstChunk: "gen_ai.response.time_to_first_chunk",
  usageInputTokens: "gen_ai.usage.input_tokens",
  usageOutputTokens: "gen_ai.usage.output_tokens",
  usageCacheReadTokens: "gen_ai.usage.cache_read.input_tokens",
  usageCacheWriteTokens: "gen_ai.usage.cache_creation.input_tokens",
  usageReasoningTokens: "gen_ai.usage.reasoning.output_tokens",
  tokenType: "gen_ai.token.type",
  systemInstructions: "gen_ai.system_instructions",
  inputMessages: "gen_ai.input.messages",
  outputMessages: "gen_ai.output.messages",
  toolDefinitions: "gen_ai.tool.definitions",
  errorType: "error.type",
  serverAddress: "server.address",
  serverPort: "server.port",
  // Attributes without a convention.
  api: "toolingua.api",
  requestId: "toolingua.request.id",
  calls: "toolingua.calls",
  retries: "toolingua.reply_retries",
} as const;

/** The metrics, with the buckets that the conventions prescribe. */
export const metric = {
  duration: {
    name: "gen_ai.client.operation.duration",
    description: "From a request to the end of its answer",
    unit: "s",
    buckets: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  },
  tokens: {
    name: "gen_ai.client.token.usage",
    description: "Tokens of prompts and replies",
    unit: "{token}",
    buckets: [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864],
  },
} as const;

/** Requests of every API are the operation `chat`. */
export const OPERATION = "chat";
