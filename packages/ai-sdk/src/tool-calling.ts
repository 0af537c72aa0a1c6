import { type GenerateOptions, getProtocol, type Protocol, protocolForModel, type TextModel } from "@toolingua/core";
import { adapterDefaults, describeValue, PartMarks, traceListener } from "@toolingua/core/adapters";
import { Answer } from "./answer/answer.js";
import { PartWriter } from "./answer/part-writer.js";
import { checkToolCallingOptions } from "./check-tool-calling-options.js";
import { ModelError } from "./errors.js";
import { constraintTarget } from "./inner/constraint.js";
import { hybridSelection } from "./inner/hybrid-selection.js";
import { InnerModel } from "./inner/inner-model.js";
import { NativeModel } from "./inner/native-model.js";
import type { Attachment } from "./messages/attachments.js";
import { toChatMessages } from "./messages/prompt.js";
import type { ToolCallingOptions } from "./options.js";
import type { CallOptions, GenerateResult, LanguageModel, StreamResult, Usage } from "./sdk.js";
import { readChoice, readTools } from "./tools/tools.js";

/** Tool calling for one model: implements `doGenerate` and `doStream` of the wrapped model. */
export class ToolCalling {
  /**
   * The options of all turns. It has the fields that each turn sets, because a copy is made twenty times as fast if no
   * field is added to it.
   */
  readonly #turn: GenerateOptions & { protocol: Protocol };
  readonly #resultMedia: NonNullable<ToolCallingOptions["resultMedia"]>;
  readonly #native: NativeModel | undefined;
  readonly #selection: ReturnType<typeof hybridSelection> | undefined;
  readonly #backend: GenerateOptions["backend"];

  /** Errors: `ModelError` (`not-a-model`, `no-constraint`), `OptionsError`, `ProtocolError`. */
  constructor(
    private readonly model: LanguageModel,
    options: ToolCallingOptions,
  ) {
    checkModel(model);
    checkToolCallingOptions(options);
    const { toolSelection, native, resultMedia = "placeholder", maxInvalidCallRetries, ...how } = options;
    const { onInvalidCall = adapterDefaults.onInvalidCall, liveCalls = true } = options;
    const { constraint = adapterDefaults.constraint, prefill = adapterDefaults.prefill } = options;
    this.#native = native === "auto" ? new NativeModel(model) : undefined;
    this.#selection = toolSelection ? hybridSelection(model, toolSelection === true ? {} : toolSelection) : undefined;
    this.#resultMedia = resultMedia;
    const backend =
      constraint === "off" ? undefined : constraintTarget(model, options.backend, constraint === "required");
    this.#backend = backend;
    this.#turn = {
      ...how,
      ...{ onInvalidCall, liveCalls, maxInvalidCallRetries, prefill, backend },
      onTrace: traceListener(options.onTrace),
      constraint: backend === undefined ? "off" : constraint,
      protocol: getProtocol(options.protocol ?? protocolForModel(model.modelId)),
      toolSelection: this.#selection?.selection,
      model: asksNobody,
      messages: [],
      tools: undefined,
      toolChoice: undefined,
      answerSchema: undefined,
      liveAnswer: undefined,
      stop: undefined,
      signal: undefined,
    };
  }

  async generate(call: CallOptions): Promise<GenerateResult> {
    if (this.#isPassedOn(call)) return this.model.doGenerate(call);
    const spent: Usage[] = [];
    const native = this.#nativeFor(call);
    const answer = native && (await native.generate(call, (usage) => spent.push(usage)));
    // Without `await`, returning the promise would cost two more microtasks.
    return answer ?? (await this.#answer(call, false, spent).whole());
  }

  async stream(call: CallOptions): Promise<StreamResult> {
    if (this.#isPassedOn(call)) return this.model.doStream(call);
    const spent: Usage[] = [];
    const native = this.#nativeFor(call);
    const answer = native && (await native.stream(call, (usage) => spent.push(usage)));
    return answer ?? this.#answer(call, true, spent).streamed();
  }

  /**
   * The model's own tool calling, for requests with tools, unless some of them are selected: other structured answers are
   * prompted.
   */
  #nativeFor({ tools = [], responseFormat }: CallOptions): NativeModel | undefined {
    const functions = tools.filter(({ type }) => type === "function");
    const isAnswerOnly = responseFormat?.type === "json" && functions.length === 0;
    return isAnswerOnly || this.#selection?.appliesTo(functions) ? undefined : this.#native;
  }

  /** Whether the wrapped model answers alone. Reasoning that its template opened must be read in every reply. */
  #isPassedOn(call: CallOptions): boolean {
    return !this.#turn.startWithReasoning && isPlain(call);
  }

  #answer(call: CallOptions, isStreamed: boolean, spent: readonly Usage[]): Answer {
    const { protocol } = this.#turn;
    const backend = this.#backend;
    const { definitions, provider } = readTools(call.tools, protocol, backend !== undefined);
    const marks = new PartMarks<Attachment>();
    const inner = new InnerModel({ model: this.model, call, streamed: isStreamed, marks, provider, backend });
    for (const usage of spent) inner.spend(usage);
    const { toolChoice } = call;
    const isProviders = toolChoice?.type === "tool" && provider.some(({ name }) => name === toolChoice.toolName);
    const json = call.responseFormat?.type === "json" ? call.responseFormat : undefined;
    const options = { ...this.#turn };
    options.model = inner.generate;
    this.#selection?.follow(inner.generate, { call, inner });
    const { messages, feedback } = toChatMessages(call.prompt, marks, this.#resultMedia);
    options.messages = messages;
    options.tools = definitions;
    options.toolChoice = isProviders ? "auto" : readChoice(toolChoice, definitions);
    options.answerSchema = json && { ...json.schema };
    options.liveAnswer = isStreamed && options.liveCalls === true;
    options.stop = call.stopSequences;
    options.signal = call.abortSignal;
    return new Answer({ options, trusted: feedback, inner, writer: new PartWriter() });
  }
}

const asksNobody: TextModel = () => {
  throw new Error("A turn without a model.");
};

function checkModel(model: LanguageModel): void {
  const why = whyNoModel(model);
  if (why === undefined) return;
  throw new ModelError("not-a-model", `\`model\` must be a language model of \`ai\` 6 or 7. ${why}`);
}

function whyNoModel(given: unknown): string | undefined {
  if (typeof given === "string") {
    return `"${given}" is the name of one: pass gateway("${given}") of \`ai\`, or a model of your provider's package.`;
  }
  const model: Record<string, unknown> = Object(given);
  const version = model.specificationVersion;
  if (version === "v2") {
    return "This one is of version 2 (`ai` 5). wrapLanguageModel of `ai` 6 converts it: wrapLanguageModel({ model, middleware: toolCallingMiddleware() }).";
  }
  const lacks = ["doGenerate", "doStream"].find((name) => typeof model[name] !== "function");
  if (lacks !== undefined) {
    return typeof version === "string"
      ? `This one has no \`${lacks}\`.`
      : `It is what a provider makes, such as ollama("gemma3"), not ${describeValue(given)}.`;
  }
  if (version === "v3" || version === "v4") return undefined;
  const has = version === undefined ? "no `specificationVersion`" : `specificationVersion ${JSON.stringify(version)}`;
  return `This one has ${has}: \`ai\` 6 has "v3", \`ai\` 7 "v4".`;
}

/**
 * Whether a request has no tools of the application, no earlier calls of such, and no answer schema, so that it can be passed
 * on unchanged.
 */
function isPlain({ tools = [], prompt, responseFormat }: CallOptions): boolean {
  if (responseFormat?.type === "json" || tools.some(({ type }) => type === "function")) return false;
  const isProviders = ({ toolName }: { toolName: string }) => tools.some(({ name }) => name === toolName);
  return prompt.every(
    (message) =>
      (message.role !== "tool" || message.content.every((part) => part.type !== "tool-result" || isProviders(part))) &&
      (message.role !== "assistant" ||
        message.content.every((part) => part.type !== "tool-call" || part.providerExecuted || isProviders(part))),
  );
}
