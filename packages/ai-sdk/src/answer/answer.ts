import type { ChatMessage, GenerateOptions, ReplyEvent, Turn, TurnResult } from "@toolingua/core";
import { turnOf, wholeTurnOf } from "@toolingua/core/adapters";
import { type InnerModel, isUnknown } from "../inner/inner-model.js";
import { unknownUsage } from "../inner/usage.js";
import { asJson, type Metadata } from "../messages/metadata.js";
import { type BlockPart, collectContent, hasContent } from "../parts.js";
import type { FinishReason, GenerateResult, StreamPart, StreamResult } from "../sdk.js";
import type { PartWriter } from "./part-writer.js";

/** The ending of an answer. */
type Ending = Pick<GenerateResult, "usage" | "finishReason" | "providerMetadata">;

/** The turn, the model that is asked, and the writer of the answer's parts. */
interface AnswerContext {
  options: GenerateOptions;
  /** The messages of which a call may be copied. */
  trusted: ReadonlySet<ChatMessage> | undefined;
  inner: InnerModel;
  writer: PartWriter;
}

/** One answer, whole or as a stream of parts. */
export class Answer {
  #isOpen = false;
  #isOver = false;

  constructor(private readonly context: AnswerContext) {}

  async whole(): Promise<GenerateResult> {
    const { options, trusted, inner, writer } = this.context;
    const parts: StreamPart[] = [];
    const result = await wholeTurnOf(options, (events) => this.#addParts(events, parts), trusted);
    this.#takePassed(parts);
    writer.finish(parts);
    const { usage, finishReason, providerMetadata } = this.#ending(result);
    const answer: GenerateResult = { content: collectContent(parts), warnings: inner.warnings, usage, finishReason };
    if (providerMetadata) answer.providerMetadata = providerMetadata;
    if (inner.request) answer.request = inner.request;
    if (inner.response) answer.response = inner.response;
    return answer;
  }

  /**
   * Sends the request at once, so that the caller can retry a failure; the answer is read only when the stream is read.
   */
  async streamed(): Promise<StreamResult> {
    const { options, trusted, inner } = this.context;
    const turn = turnOf(options, trusted);
    const batches = turn.batches()[Symbol.asyncIterator]();
    let first: Promise<IteratorResult<ReplyEvent[]>> | undefined = batches.next();
    const opened = await Promise.race([inner.opened, first.then(() => inner.opened)]);
    const pull = async (controller: ReadableStreamDefaultController<StreamPart>) => {
      inner.read();
      for (;;) {
        const asked = first ?? batches.next();
        first = undefined;
        let parts: StreamPart[];
        try {
          const { done, value } = await asked;
          parts = done ? await this.#last(turn) : this.#opening((into) => this.#addParts(value, into));
        } catch (error) {
          parts = this.#failed(error);
        }
        for (const part of parts) controller.enqueue(part);
        if (this.#isOver) return controller.close();
        if (parts.length > 0) return;
      }
    };
    const cancel = async () => {
      first?.catch(() => {});
      await inner.leave();
      // Ends once a model that ignores its signal has answered.
      batches.return?.().catch(() => {});
    };
    return { stream: new ReadableStream<StreamPart>({ pull, cancel }, { highWaterMark: 0 }), ...opened };
  }

  async #last(turn: Turn): Promise<StreamPart[]> {
    const ending = this.#ending(await turn.result());
    this.#isOver = true;
    return this.#opening((parts) => {
      this.#takePassed(parts);
      this.context.writer.finish(parts);
      parts.push({ type: "finish", ...ending });
    });
  }

  /** Errors become an error part, as with every provider; an abort is thrown. */
  #failed(error: unknown): StreamPart[] {
    const { inner, writer } = this.context;
    if (this.context.options.signal?.aborted || !inner.isOpened) throw error;
    this.#isOver = true;
    const finishReason: FinishReason = { unified: "error", raw: inner.finish?.raw };
    const usage = inner.usage ?? unknownUsage;
    return this.#opening((parts) => {
      writer.close(parts);
      parts.push({ type: "error", error }, { type: "finish", finishReason, usage });
    });
  }

  /** The parts that `add` adds; the first ones of the answer after `stream-start`. */
  #opening(add: (parts: StreamPart[]) => void): StreamPart[] {
    const parts: StreamPart[] = [];
    add(parts);
    if (this.#isOpen || parts.length === 0) return parts;
    this.#isOpen = true;
    return [{ type: "stream-start", warnings: this.context.inner.warnings }, ...parts];
  }

  /** Adds the parts of the events, after the parts that were passed on before them. */
  #addParts(events: readonly ReplyEvent[], parts: StreamPart[]): void {
    this.#takePassed(parts);
    for (const event of events) this.context.writer.write(event, parts);
  }

  /** Adds the parts that are passed on. Content among them ends the text before it, as in the provider's own. */
  #takePassed(parts: StreamPart[]): void {
    const { inner, writer } = this.context;
    for (const part of inner.takePassed()) {
      if (part.type === "stream-start") writer.begin();
      else if (isBound(part)) writer.follow(part, parts);
      else {
        if (hasContent(part)) writer.close(parts);
        parts.push(part);
      }
    }
  }

  #ending({ repeatedCall, selection, attempts }: TurnResult): Ending {
    const { inner, writer } = this.context;
    // Field by field: a conditional spread takes ten times as long.
    const about: Metadata = {};
    if (attempts > 1) about.attempts = attempts;
    if (repeatedCall) about.repeatedCall = asJson(repeatedCall);
    if (selection) about.selection = asJson(selection);
    const { unreadable } = writer;
    if (unreadable.length > 0) about.invalidToolCalls = unreadable;
    const ending: Ending = { usage: inner.usage ?? unknownUsage, finishReason: finishReason(inner, writer) };
    const metadata = isEmpty(about) ? inner.providerMetadata : { ...inner.providerMetadata, toolingua: about };
    if (metadata && !isEmpty(metadata)) ending.providerMetadata = metadata;
    return ending;
  }
}

/** Whether a part only bounds the provider's own text or reasoning. */
const isBound = (part: StreamPart): part is BlockPart =>
  "id" in part && part.id === "" && /^(?:text|reasoning)-/.test(part.type);

const isEmpty = (object: object): boolean => Object.keys(object).length === 0;

// `interrupted`: version 4 has it.
const KEPT = new Set<string>(["content-filter", "error", "interrupted"]);

/** The finish reason. The SDK runs tools only after `tool-calls` and `stop`, and takes calls without results for an error. */
function finishReason({ finish, called, hasContent }: InnerModel, writer: PartWriter): FinishReason {
  const raw = finish?.raw;
  if (finish && KEPT.has(finish.unified)) return finish;
  const isCutOff = finish && (finish.unified === "length" || isUnknown(finish));
  if (writer.truncated && !writer.hasValidCall && isCutOff) return finish;
  if (writer.called || called) return { unified: "tool-calls", raw };
  return finish && (finish.unified !== "tool-calls" || hasContent) ? finish : { unified: "stop", raw };
}
