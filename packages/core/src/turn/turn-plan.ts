import { checkedMessages } from "../check-messages.js";
import type { RequestConstraint } from "../prompt/constrain.js";
import { offeredTools } from "../prompt/offered-tools.js";
import type { Protocol } from "../protocol.js";
import { getProtocol } from "../protocols/index.js";
import { checkedSchema } from "../schema/check-schema.js";
import { libraryReader } from "../schema/library-reader.js";
import type { ChatMessage, JsonSchema, ToolChoice, ToolDefinition } from "../types.js";
import { adapterDefaults } from "./adapter-options.js";
import {
  type CheckedAnswer,
  checkAnswer,
  checkCalledAnswer,
  constrainToAnswer,
  readByLibrary,
  withAnswerNotice,
} from "./answer-schema.js";
import type { GenerateOptions } from "./generate-options.js";

/** What stays the same in all attempts at a turn: its options, and what follows from them. */
export class TurnPlan {
  readonly protocol: Protocol;
  readonly toolChoice: ToolChoice;
  /** The tools that can be called, shown or not. */
  readonly offered: readonly ToolDefinition[];
  /** Whether one reply may have several calls. */
  readonly isParallel: boolean;
  /** Whether a call is required. */
  readonly needsCall: boolean;
  /** The conversation, with the schema of the answer. */
  readonly messages: readonly ChatMessage[];
  /** The schema of an answer without calls. */
  readonly answerSchema: JsonSchema | undefined;
  /** The maximum number of retries. */
  readonly retries: number;
  /** The constraint of the whole reply to the schema of the answer, if no tool can be called. */
  readonly answerConstraint: RequestConstraint | undefined;

  /** Errors: those of {@link offeredTools}, {@link getProtocol}, {@link checkedMessages} and {@link checkedSchema}. */
  constructor(readonly options: GenerateOptions) {
    const { toolChoice = "auto", parallel = typeof toolChoice !== "object", answerSchema } = options;
    this.protocol = getProtocol(options.protocol ?? "xml");
    this.toolChoice = toolChoice;
    this.offered = offeredTools(options.tools ?? [], toolChoice);
    this.isParallel = parallel && this.protocol.syntax.parallel;
    this.needsCall = toolChoice !== "auto" && toolChoice !== "none";
    this.answerSchema = answerSchema === undefined ? undefined : checkedSchema(answerSchema);
    this.messages = withAnswerNotice(checkedMessages(options.messages), this.answerSchema, this.offered.length > 0);
    this.retries =
      options.maxInvalidCallRetries ?? (options.onInvalidCall === "retry" ? adapterDefaults.maxInvalidCallRetries : 1);
    this.answerConstraint = this.#answerConstraint();
  }

  /** The schema of an answer that is checked once it is complete. */
  get checkedSchema(): JsonSchema | undefined {
    return this.answerConstraint ? undefined : this.answerSchema;
  }

  /** Checks an answer by its schema; undefined if it has none. */
  async checkAnswer(text: string): Promise<CheckedAnswer | undefined> {
    const { answerSchema: schema, offered, protocol } = this;
    if (schema === undefined) return undefined;
    const answer = checkAnswer(text, schema);
    const called = answer.event || offered.length > 0 ? undefined : checkCalledAnswer(text, schema, protocol);
    const found = called ?? answer;
    const { event } = found;
    if (!event) return found;
    const read = await this.readAnswer(event.value);
    return "value" in read ? { event: { ...event, value: read.value } } : read;
  }

  /** The data of an answer as the library of its schema reads it. */
  readAnswer(value: unknown): ReturnType<typeof readByLibrary> {
    return readByLibrary(value, libraryReader(this.options.answerSchema));
  }

  #answerConstraint(): RequestConstraint | undefined {
    const { answerSchema, options } = this;
    const { constraint = "off", backend = "gbnf", grammar } = options;
    if (answerSchema === undefined || this.offered.length > 0 || constraint === "off") return undefined;
    return constrainToAnswer(backend, answerSchema, grammar);
  }
}
