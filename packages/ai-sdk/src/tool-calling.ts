import {
  type GenerateOptions,
  generateWithTools,
  getProtocol,
  PartMarks,
  type Protocol,
  protocolForModel,
  type ReplyEvent,
  ToolSelection,
  type Turn,
} from "@toolingua/core";
import { checkOptions } from "./check-options.js";
import { contentOf } from "./collect.js";
import { constraintTarget } from "./constraint.js";
import { ModelError } from "./errors.js";
import { InnerModel } from "./inner-model.js";
import { NativeModel } from "./native-model.js";
import type { ToolCallingOptions } from "./options.js";
import { partStream } from "./part-stream.js";
import { PartWriter } from "./part-writer.js";
import { type Attachment, toChatMessages } from "./prompt.js";
import type {
  CallOptions,
  FinishReason,
  GenerateResult,
  LanguageModel,
  StreamPart,
  StreamResult,
  Usage,
} from "./sdk.js";
import { readChoice, readTools } from "./tools.js";
import { unknownUsage } from "./usage.js";

/** One answer as it is made. */
interface Answering {
  turn: Turn;
  inner: InnerModel;
  writer: PartWriter;
}

/** The ending of an answer. */
type Ending = Pick<GenerateResult, "usage" | "finishReason" | "providerMetadata">;

/** Tool calling for one model: what `doGenerate` and `doStream` of the wrapped model do. */
export class ToolCalling {
  /** What all turns have in common. */
  readonly #turn: Omit<GenerateOptions, "model" | "messages"> & { protocol: Protocol };
  readonly #resultMedia: NonNullable<ToolCallingOptions["resultMedia"]>;
  readonly #native: NativeModel | undefined;
  readonly #backend: GenerateOptions["backend"];

  /** Errors: `ModelError` (`not-a-model`, `no-constraint`), `OptionsError`, `ProtocolError`. */
  constructor(
    private readonly model: LanguageModel,
    options: ToolCallingOptions,
  ) {
    checkModel(model);
    checkOptions(options);
    const { toolSelection, native, resultMedia = "placeholder", maxInvalidCallRetries: maxRetries, ...how } = options;
    const { constraint = "off", onInvalidCall = "retry", liveCalls = true, prefill = false } = options;
    this.#native = native === "auto" ? new NativeModel(model) : undefined;
    this.#resultMedia = resultMedia;
    const backend =
      constraint === "off" ? undefined : constraintTarget(model, options.backend, constraint === "required");
    this.#backend = backend;
    this.#turn = {
      ...how,
      ...{ onInvalidCall, liveCalls, maxRetries, prefill, backend },
      constraint: backend === undefined ? "off" : constraint,
      protocol: getProtocol(options.protocol ?? protocolForModel(model.modelId)),
      selection: toolSelection && new ToolSelection(toolSelection === true ? {} : toolSelection),
    };
  }

  async generate(call: CallOptions): Promise<GenerateResult> {
    if (isPlain(call)) return this.model.doGenerate(call);
    const spent: Usage[] = [];
    const native = await this.#native?.generate(call, (usage) => spent.push(usage));
    if (native) return native;
    const answering = this.#answer(call, false, spent);
    const { turn, inner, writer } = answering;
    const parts: StreamPart[] = [];
    for await (const events of turn.batches()) parts.push(...partsOf(answering, events));
    parts.push(...inner.passed(), ...writer.finish());
    return {
      content: contentOf(parts),
      ...(await ending(answering)),
      warnings: inner.warnings,
      ...(inner.request && { request: inner.request }),
      ...(inner.response && { response: inner.response }),
    };
  }

  async stream(call: CallOptions): Promise<StreamResult> {
    if (isPlain(call)) return this.model.doStream(call);
    const spent: Usage[] = [];
    const native = await this.#native?.stream(call, (usage) => spent.push(usage));
    if (native) return native;
    const answering = this.#answer(call, true, spent);
    const { inner } = answering;
    const source = streamed(answering, call.abortSignal);
    // The request is sent now, so that one that fails is the caller's to send again; its answer is read when somebody reads.
    let first: Promise<IteratorResult<StreamPart[]>> | undefined = source.next();
    const opened = await Promise.race([inner.opened, first.then(() => inner.opened)]);
    const next = () => {
      inner.read();
      const asked = first ?? source.next();
      first = undefined;
      return asked;
    };
    const cancel = async () => {
      first?.catch(() => {});
      await inner.leave();
      await source.return(undefined);
    };
    return { stream: partStream(next, cancel), ...opened };
  }

  #answer(call: CallOptions, isStreamed: boolean, spent: readonly Usage[]): Answering {
    const { protocol } = this.#turn;
    const backend = this.#backend;
    const { definitions, provider, validated } = readTools(call.tools, protocol, backend !== undefined);
    const marks = new PartMarks<Attachment>();
    const inner = new InnerModel({ model: this.model, call, streamed: isStreamed, marks, provider, backend });
    for (const usage of spent) inner.spend(usage);
    const { toolChoice } = call;
    const isProviders = toolChoice?.type === "tool" && provider.some(({ name }) => name === toolChoice.toolName);
    const json = call.responseFormat?.type === "json" ? call.responseFormat : undefined;
    // Fields that a spread is followed by take ten times as long.
    const turn = generateWithTools(
      Object.assign({}, this.#turn, {
        model: inner.generate,
        messages: toChatMessages(call.prompt, marks, this.#resultMedia),
        tools: definitions,
        toolChoice: isProviders ? ("auto" as const) : readChoice(toolChoice, definitions),
        answerSchema: json && { ...json.schema },
        stop: call.stopSequences,
        signal: call.abortSignal,
      }),
    );
    const writer = new PartWriter({ validated, reasoningMetadata: () => inner.reasoningMetadata });
    return { turn, inner, writer };
  }
}

function checkModel(model: LanguageModel): void {
  const given: unknown = model;
  const version =
    typeof given === "object" && given !== null && "specificationVersion" in given && given.specificationVersion;
  const lacks = ["doGenerate", "doStream"].find((name) => typeof Object(given)[name] !== "function");
  if ((version === "v3" || version === "v4") && lacks === undefined) return;
  const hint =
    typeof given === "string"
      ? `"${given}" is the name of one: pass gateway("${given}") of \`ai\`, or a model of your provider's package.`
      : version === "v2"
        ? "This one is of version 2 (`ai` 5). wrapLanguageModel of `ai` 6 converts it: wrapLanguageModel({ model, middleware: toolCallingMiddleware() })."
        : lacks !== undefined && typeof version === "string"
          ? `This one has no \`${lacks}\`.`
          : 'It is what a provider makes, such as ollama("gemma3").';
  throw new ModelError("not-a-model", `\`model\` must be a language model of \`ai\` 6 or 7. ${hint}`);
}

/** A call without tools, now or before, and without a form for its answer: the model does that by itself. */
function isPlain({ tools, prompt, responseFormat }: CallOptions): boolean {
  if (responseFormat?.type === "json") return false;
  if (tools?.some(({ type }) => type === "function")) return false;
  return prompt.every(
    (message) =>
      (message.role !== "tool" || message.content.every(({ type }) => type !== "tool-result")) &&
      (message.role !== "assistant" ||
        !message.content.some((part) => part.type === "tool-call" && !part.providerExecuted)),
  );
}

/** The parts of some events, after what came beside them. */
function partsOf({ inner, writer }: Answering, events: readonly ReplyEvent[]): StreamPart[] {
  const parts = inner.passed();
  for (const event of events) parts.push(...writer.write(event));
  return parts;
}

/** All parts of a streamed answer, in batches. Errors become a part, as those of every provider do; an abort is thrown. */
async function* streamed(answering: Answering, signal: AbortSignal | undefined): AsyncGenerator<StreamPart[]> {
  const { turn, inner, writer } = answering;
  let isOpen = false;
  const opening = (): StreamPart[] => {
    if (isOpen) return [];
    isOpen = true;
    return [{ type: "stream-start", warnings: inner.warnings }];
  };
  try {
    for await (const events of turn.batches()) {
      const parts = partsOf(answering, events);
      if (parts.length > 0) yield isOpen ? parts : [...opening(), ...parts];
    }
    const last = [...inner.passed(), ...writer.finish()];
    yield [...opening(), ...last, { type: "finish", ...(await ending(answering)) }];
  } catch (error) {
    if (signal?.aborted || !inner.isOpened) throw error;
    const finishReason: FinishReason = { unified: "error", raw: inner.finish?.raw };
    const usage = inner.usage ?? unknownUsage;
    yield [...opening(), ...writer.close(), { type: "error", error }, { type: "finish", finishReason, usage }];
  }
}

async function ending({ turn, inner, writer }: Answering): Promise<Ending> {
  const { repeatedCall, selection, attempts } = await turn.result();
  const about = {
    ...(attempts > 1 && { attempts }),
    ...(repeatedCall && { repeatedCall: plain(repeatedCall) }),
    ...(selection && { selection: plain(selection) }),
  };
  const providerMetadata = {
    ...inner.providerMetadata,
    ...(Object.keys(about).length > 0 && { toolingua: about }),
  };
  return {
    usage: inner.usage ?? unknownUsage,
    finishReason: finishReason(inner, writer),
    ...(Object.keys(providerMetadata).length > 0 && { providerMetadata }),
  };
}

/** Metadata is JSON. */
const plain = (value: object): NonNullable<GenerateResult["providerMetadata"]>[string] =>
  JSON.parse(JSON.stringify(value));

/** Why the answer ended. The SDK runs tools after `tool-calls` and `stop`, and after no other reason. */
function finishReason({ finish, called }: InnerModel, writer: PartWriter): FinishReason {
  const raw = finish?.raw;
  if (finish?.unified === "content-filter" || finish?.unified === "error") return finish;
  if (writer.truncated && finish?.unified === "length") return finish;
  if (writer.called || called) return { unified: "tool-calls", raw };
  return finish && finish.unified !== "tool-calls" ? finish : { unified: "stop", raw };
}
