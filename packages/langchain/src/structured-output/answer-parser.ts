import { createContentParser } from "@langchain/core/language_models/structured_output";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { BaseTransformOutputParser, OutputParserException, parseJsonMarkdown } from "@langchain/core/output_parsers";
import { JsonOutputKeyToolsParser } from "@langchain/core/output_parsers/openai_tools";
import type { ChatGeneration, Generation } from "@langchain/core/outputs";
import { isSerializableSchema, type SerializableSchema } from "@langchain/core/utils/standard_schema";
import { concat } from "@langchain/core/utils/stream";
import { type InteropZodType, isInteropZodSchema } from "@langchain/core/utils/types";
import { type JsonSchema, validateValue } from "@toolingua/core";
import { clip, describeIssues, messageOf, objectsInText, unkeptNumber } from "@toolingua/core/adapters";
import { generatedMessage } from "../messages/generated-message.js";

export type Output = Record<string, unknown>;

/** How to read a structured answer. */
interface AnswerForm {
  /** zod, Standard Schema or JSON Schema. */
  schema: Record<string, unknown>;
  /** The same as JSON Schema. */
  parameters: JsonSchema;
  /** The tool whose call is the answer; undefined if the answer is text. */
  tool?: string | undefined;
}

/**
 * Reads an object from an answer: the arguments of the tool call; otherwise the text as JSON, or the one object in the
 * text that matches the schema. Streams the partial object, and finally the whole object as parsed by its schema.
 *
 * Errors: `OutputParserException` if the answer has no such object.
 */
export class AnswerParser extends BaseTransformOutputParser<Output> {
  override lc_namespace = ["toolingua", "output_parsers"];
  readonly #calls: JsonOutputKeyToolsParser<Output> | undefined;
  readonly #text: { parseResult(generations: Generation[]): Promise<Output> };

  constructor(private readonly form: AnswerForm) {
    super();
    const { schema, tool } = form;
    this.#calls = tool === undefined ? undefined : callParser(schema, tool);
    this.#text = createContentParser<Output>(schema);
  }

  static override lc_name(): string {
    return "AnswerParser";
  }

  override getFormatInstructions(): string {
    return "";
  }

  override parse(text: string): Promise<Output> {
    return this.#read(new AIMessage(text));
  }

  override parseResult(generations: Generation[] | ChatGeneration[]): Promise<Output> {
    return this.#read(generatedMessage(generations[0]));
  }

  override async *_transform(inputs: AsyncGenerator<string | BaseMessage>): AsyncGenerator<Output> {
    let whole: BaseMessage | undefined;
    let shown: string | undefined;
    for await (const input of inputs) {
      const next = typeof input === "string" ? new AIMessage(input) : input;
      whole = whole === undefined ? next : concat(whole, next);
      const partial = await this.#partial(whole);
      const json = partial && JSON.stringify(partial);
      if (json === undefined || json === shown) continue;
      shown = json;
      yield partial as Output;
    }
    const answer = await this.#read(whole ?? new AIMessage(""));
    if (JSON.stringify(answer) !== shown) yield answer;
  }

  async #partial(message: BaseMessage): Promise<Output | undefined> {
    const generation = { text: message.text, message };
    if (this.#calls) return (await this.#calls.parsePartialResult([generation])) as Output | undefined;
    if (!message.text.includes("{")) return undefined;
    try {
      const partial: unknown = parseJsonMarkdown(message.text);
      return typeof partial === "object" && partial !== null ? (partial as Output) : undefined;
    } catch {
      return undefined;
    }
  }

  async #read(message: BaseMessage): Promise<Output> {
    const called = await this.#calls?.parseResult([{ text: message.text, message } as ChatGeneration]);
    if (called !== undefined) return called;
    const whole = await this.#matching(message.text, message);
    if ("answer" in whole) return whole.answer;
    const found: Output[] = [];
    for (const json of objectsInText(message.text)) {
      const read = await this.#matching(json);
      if ("answer" in read && !found.some((known) => same(known, read.answer))) found.push(read.answer);
    }
    if (found.length === 1) return found[0] as Output;
    throw this.form.tool !== undefined ? notCalled(this.form.tool, message) : asException(whole.error, message.text);
  }

  /** Reads a text as the answer. LangChain's parser checks zod's and Standard Schemas, but no JSON Schema. */
  async #matching(text: string, message?: BaseMessage): Promise<{ answer: Output } | { error: unknown }> {
    try {
      const unkept = unkeptNumber(text);
      if (unkept !== undefined) throw new Error(`The number ${clip(unkept, 40)} has too many digits to be kept.`);
      const answer = await this.#text.parseResult([{ text, ...(message && { message }) } as Generation]);
      const { schema, parameters } = this.form;
      const isChecked = isInteropZodSchema(schema) || isSerializableSchema(schema);
      const issues = isChecked ? [] : validateValue(answer, parameters);
      return issues.length === 0 ? { answer } : { error: new Error(describeIssues(issues, "; ")) };
    } catch (error) {
      return { error };
    }
  }
}

function callParser(schema: Output, keyName: string): JsonOutputKeyToolsParser<Output> {
  const parser = new JsonOutputKeyToolsParser<Output>({ keyName, returnSingle: true });
  if (isInteropZodSchema(schema)) parser.zodSchema = schema as InteropZodType<Output>;
  else if (isSerializableSchema(schema)) parser.serializableSchema = schema as SerializableSchema<Output>;
  return parser;
}

const same = (one: Output, other: Output) => JSON.stringify(one) === JSON.stringify(other);

/** The error for a message without the call. */
function notCalled(name: string, message: BaseMessage): OutputParserException {
  const { invalid_tool_calls = [] } = message as Partial<AIMessage>;
  const wrong = invalid_tool_calls.map((call) => call.error).join("; ");
  const said = `It said: ${message.text || "nothing"}`;
  const what = `The model did not call "${name}", as required, and wrote no JSON that matches its schema.`;
  return new OutputParserException(`${what} ${wrong || said}`, message.text);
}

function asException(error: unknown, text: string): OutputParserException {
  if (error instanceof OutputParserException) return error;
  const why = messageOf(error);
  return new OutputParserException(`The answer is not JSON that matches the schema: ${why}. It is: ${text}`, text);
}
