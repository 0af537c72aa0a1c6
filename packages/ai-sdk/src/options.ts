import type { NativeAdapterOptions } from "@toolingua/core/adapters";

/** The options of `withToolCalling` and `toolCallingMiddleware`. */
export interface ToolCallingOptions extends NativeAdapterOptions {
  /**
   * What to do with an invalid call; it never runs. `retry` (default): if no part of the call was streamed (see
   * `liveCalls`), show the error to the model and ask again within the same step. A call that is still invalid, and
   * every invalid call under `surface`, becomes an invalid call of the AI SDK: `experimental_repairToolCall` can repair
   * it, else the next step has the error. `throw`: throw an error.
   */
  onInvalidCall?: NativeAdapterOptions["onInvalidCall"];
  /**
   * Whether arguments of calls stream while the model writes them. `false`: calls are sent whole, so that under `retry`
   * every wrong call is retried within the same step. Default `true`. The option also applies to whole answers, so that
   * `generateText` and `streamText` always agree. With `true`, `streamObject` streams partial objects.
   */
  liveCalls?: boolean | undefined;
  /**
   * How often one reply may make the same call. One more is dropped and ends the reply;
   * `providerMetadata.toolingua.repeatedCall` reports it. At least 1; default 2, or 1 if the reply is constrained to
   * calls.
   */
  maxIdenticalCalls?: number | undefined;
  /**
   * Where the grammar is enforced. `gbnf`: by the wrapped model (`EmbeddedChatModel`); otherwise by the server it talks
   * to. Detected for `EmbeddedChatModel`, Ollama's providers and OpenAI at its own address. Required for a `llama.cpp`,
   * `vllm` or `sglang` server.
   */
  backend?: NativeAdapterOptions["backend"];
  /**
   * How the prompt shows images and files in a tool's result, and files that the model generated. `placeholder`
   * (default): a note with the type. `model`: the file itself, in its position. `text`: its data or address as text.
   */
  resultMedia?: "placeholder" | "model" | "text" | undefined;
}
