import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FilePart,
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  LanguageModelV3TextPart,
  LanguageModelV3Usage,
  SharedV3ProviderOptions,
  SharedV3Warning,
} from "@ai-sdk/provider";

// The AI SDK's types, each under one name. The package uses version 3's for version 4 too: what the adapter reads and
// writes has the same shape in both versions, except the data of files, which it passes on unchanged.

export type LanguageModel = LanguageModelV3;
export type CallOptions = LanguageModelV3CallOptions;
export type Content = LanguageModelV3Content;
export type FilePart = LanguageModelV3FilePart;
export type FinishReason = LanguageModelV3FinishReason;
export type GenerateResult = LanguageModelV3GenerateResult;
export type Message = LanguageModelV3Message;
export type ProviderMetadata = NonNullable<LanguageModelV3GenerateResult["providerMetadata"]>;
export type ProviderOptions = SharedV3ProviderOptions;
export type StreamPart = LanguageModelV3StreamPart;
export type StreamResult = LanguageModelV3StreamResult;
export type TextPart = LanguageModelV3TextPart;
export type Usage = LanguageModelV3Usage;
export type Warning = SharedV3Warning;

/** A language model of `ai` 6 (`v3`) or `ai` 7 (`v4`). */
export interface AnyLanguageModel {
  readonly specificationVersion: "v3" | "v4";
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: LanguageModelV3["supportedUrls"];
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
}

/** Middleware for `wrapLanguageModel` of `ai` 6 and 7; results have the version of the model. */
export interface ToolCallingMiddleware {
  readonly specificationVersion: "v3";
  wrapGenerate<R>(options: {
    doGenerate: () => PromiseLike<R>;
    params: object;
    model: AnyLanguageModel;
  }): PromiseLike<R>;
  wrapStream<R>(options: { doStream: () => PromiseLike<R>; params: object; model: AnyLanguageModel }): PromiseLike<R>;
}

/** A wrapped model, with the members of every model of its version. */
export type WrappedModel<M extends AnyLanguageModel> = Pick<M, keyof AnyLanguageModel>;
