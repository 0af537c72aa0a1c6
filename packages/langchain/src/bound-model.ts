import type { BaseLanguageModelInput, StructuredOutputMethodOptions } from "@langchain/core/language_models/base";
import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import { type Runnable, RunnableBinding, type RunnableConfig } from "@langchain/core/runnables";
import type { SerializableSchema } from "@langchain/core/utils/standard_schema";
import type { ZodV3Like, ZodV4Like } from "@langchain/core/utils/types";
import type { ToolCallingCallOptions } from "./call-options.js";
import { checkCallOptions } from "./check-tool-calling-options.js";
import { type StructuredOutput, structuredOutput } from "./structured-output/structured-output.js";

/** What `bindTools` needs of the model that is bound. */
interface ToolBinder<C extends RunnableConfig> {
  bindTools(tools: BindToolsInput[], kwargs?: Partial<ToolCallingCallOptions<C>>): BoundModel<C>;
}

/**
 * A model with call options, as `bindTools` and `withConfig` return it: LangChain's binding, with `bindTools` and
 * `withStructuredOutput`.
 *
 * @example
 * const model = withToolCalling(inner).withConfig({ tags: ["shop"] }).bindTools([getWeather]);
 */
export class BoundModel<C extends RunnableConfig = RunnableConfig> extends RunnableBinding<
  BaseLanguageModelInput,
  AIMessageChunk,
  ToolCallingCallOptions<C>
> {
  /** Serialized as a plain binding, which every LangChain can load. */
  override get lc_id(): string[] {
    return [...this.lc_namespace, "RunnableBinding"];
  }

  /** Replaces the bound tools and keeps all other bound options. Errors: `ToolBindingError`, `OptionsError` (`bad-option`). */
  bindTools(tools: BindToolsInput[], kwargs?: Partial<ToolCallingCallOptions<C>>): BoundModel<C> {
    const model = this.bound as typeof this.bound & ToolBinder<C>;
    return model.bindTools(tools, { ...(this.config as Partial<ToolCallingCallOptions<C>>), ...kwargs });
  }

  /** A model that answers with an object, see {@link structuredOutput}. */
  withStructuredOutput<T extends object = Record<string, unknown>>(
    schema: SerializableSchema<T> | ZodV4Like<T> | ZodV3Like<T> | object,
    config?: StructuredOutputMethodOptions<false>,
  ): Runnable<BaseLanguageModelInput, T>;
  withStructuredOutput<T extends object = Record<string, unknown>>(
    schema: SerializableSchema<T> | ZodV4Like<T> | ZodV3Like<T> | object,
    config?: StructuredOutputMethodOptions<true>,
  ): Runnable<BaseLanguageModelInput, { raw: BaseMessage; parsed: T }>;
  withStructuredOutput(
    schema: Record<string, unknown>,
    config?: StructuredOutputMethodOptions<boolean>,
  ): StructuredOutput {
    return structuredOutput(this, schema, config);
  }

  override withConfig(config: Partial<ToolCallingCallOptions<C>>): BoundModel<C> {
    checkCallOptions(config);
    return new BoundModel<C>({ bound: this.bound, kwargs: this.kwargs ?? {}, config: { ...this.config, ...config } });
  }
}
