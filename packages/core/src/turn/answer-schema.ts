import { isJson, parsedJson } from "../common/json-text.js";
import { isObject } from "../common/plain-object.js";
import { parseReply } from "../full/index.js";
import { jsonSchemaToGbnf } from "../grammar/index.js";
import { inCodeBlock } from "../notation/json/code-block.js";
import { keptJson } from "../notation/json/kept-json.js";
import { readJsonText } from "../notation/json/read-json.js";
import { withoutSpace } from "../notation/json/whole-json.js";
import type { ConstraintTarget, RequestConstraint } from "../prompt/constrain.js";
import type { Protocol } from "../protocol.js";
import { coerce } from "../reply/arguments/coerce.js";
import { Repairs } from "../reply/arguments/repairs.js";
import type { libraryReader } from "../schema/library-reader.js";
import { planFor } from "../schema/plan.js";
import { requiredOf } from "../schema/required.js";
import { validateJson } from "../schema/validate.js";
import type { ValidationIssue } from "../schema/validation-issue.js";
import type { ChatMessage, JsonSchema, ReplyEvent } from "../types.js";
import type { GenerateOptions } from "./generate-options.js";
import { objectsInText, onlyObjectIn, valuesInText } from "./objects-in-text.js";

// Answers that are JSON matching a schema, as with `response_format` and `text.format` in OpenAI's APIs.

/** A checked answer: its event, or feedback for the model. */
export interface CheckedAnswer {
  event?: Extract<ReplyEvent, { type: "text" }>;
  feedback?: string;
}

/** The data of an answer, or feedback for the model. */
type ReadAnswer = { value: unknown } | { feedback: string };

/** The maximum number of issues in one feedback. */
const ISSUES = 8;

/** The messages, with the schema of the answer after the system messages at the beginning. */
export function withAnswerNotice(
  messages: readonly ChatMessage[],
  schema: JsonSchema | undefined,
  hasTools: boolean,
): readonly ChatMessage[] {
  if (schema === undefined) return messages;
  const when = hasTools ? "When you answer without a call, the" : "The";
  const content = `${when} whole answer is one JSON value, without any other text and without a code block. It must match this JSON Schema:\n${JSON.stringify(schema)}`;
  const spoken = messages.findIndex(({ role }) => role !== "system");
  const at = spoken === -1 ? messages.length : spoken;
  return [...messages.slice(0, at), { role: "system", content }, ...messages.slice(at)];
}

/**
 * The constraint of the whole reply to the schema. As in calls, a grammar has only the keys that the schema declares: a small
 * model would write others until the token limit.
 */
export function constrainToAnswer(
  target: ConstraintTarget,
  schema: JsonSchema,
  { maxCalls: _, ...limits }: GenerateOptions["grammar"] = {},
): RequestConstraint {
  if (target === "gbnf") {
    return { constraint: { type: "gbnf", grammar: jsonSchemaToGbnf(schema, { closed: true, ...limits }).grammar } };
  }
  if (target === "ollama") return { fields: { format: schema } };
  return { fields: { response_format: { type: "json_schema", json_schema: { name: "answer", schema } } } };
}

/**
 * Reads an answer: JSON, also repaired, in a code block, or with text around it if exactly one object (of a schema of
 * lists: one list) in the text matches; or only the value of the one property that the schema requires. Values are coerced
 * to the schema.
 */
export function checkAnswer(text: string, schema: JsonSchema): CheckedAnswer {
  const trimmed = text.trim();
  const written = inCodeBlock(trimmed) ?? trimmed;
  const answer = checkJson(written, schema);
  const event =
    answer.event ??
    onlyObjectIn(
      trimmed,
      (json) => checkJson(json, schema).event,
      ({ value }) => value,
      partsOf(trimmed, schema),
    ) ??
    checkProperty(written, schema).event;
  return event ? { event } : answer;
}

/** What may be the answer within a text: its objects, and its lists if only a list matches. */
function partsOf(text: string, schema: JsonSchema): Iterable<string> {
  const { types, kind } = planFor(schema);
  const isList = types === undefined ? kind === "array" : types.length === 1 && types[0] === "array";
  return isList ? valuesInText(text) : objectsInText(text);
}

/**
 * Reads an answer that a model wrote as a call, in any format, because it is trained to call a tool: the arguments of its only
 * call.
 *
 * @example checkCalledAnswer('[extract(city="Oslo")]', schema, protocols.pythonic)?.event?.value; // { city: "Oslo" }
 */
export function checkCalledAnswer(text: string, schema: JsonSchema, protocol: Protocol): CheckedAnswer | undefined {
  const [call, ...others] = parseReply(text, { protocol }).toolCalls;
  if (call === undefined || others.length > 0) return undefined;
  const answer = checkJson(JSON.stringify(call.arguments), schema);
  return answer.event && answer;
}

/**
 * An answer without the object around its only property: a list, a plain value or one of several words, as small models write
 * them for `Output.array` and `Output.choice` of the AI SDK. Another object may be one with wrong keys.
 */
function checkProperty(written: string, schema: JsonSchema): CheckedAnswer {
  const { properties } = planFor(schema);
  const [[key, plan] = []] = properties;
  if (key === undefined || !plan || properties.size > 1 || !requiredOf(schema).includes(key)) return {};
  const isChoice = isObject(plan.schema) && Array.isArray(plan.schema.enum) && plan.schema.enum.includes(written);
  if (!isChoice && (written.startsWith("{") || !isJson(written))) return {};
  return checkJson(`{${JSON.stringify(key)}: ${isChoice ? JSON.stringify(written) : written}}`, schema);
}

function checkJson(json: string, schema: JsonSchema): CheckedAnswer {
  const repeated: string[] = [];
  const unkept = new Set<string>();
  const notes = { repeated: (key: string) => repeated.push(key), unkept: (digits: string) => unkept.add(digits) };
  const read = readJsonText(json, notes);
  // It reads the texts of JSON as they are.
  const given = keptJson(json, notes.unkept) ?? read;
  if (repeated.length > 0) return { feedback: wrong(`It has the key ${JSON.stringify(repeated[0])} twice.`) };
  if (given === undefined) return { feedback: wrong("It is not valid JSON.") };
  // Some models write a call with the answer as its arguments, of a tool that they name themselves.
  const tool = isObject(given) && typeof given.name === "string" ? given.name : undefined;
  const repairs = new Repairs();
  const value = coerce(given, planFor(schema), "", repairs, { tool, unkept });
  const issues = [...repairs.issues, ...validateJson(value, schema)];
  if (issues.length > 0) return { feedback: mismatch("the JSON Schema", issues) };
  const text = JSON.stringify(value);
  // What was not repaired stays as it was written: a number may have more digits than its value.
  const isAsWritten = JSON.stringify(parsedJson(json)) === text;
  return { event: { type: "text", text: isAsWritten ? withoutSpace(json.trim()) : text, value } };
}

/** The answer as the schema's library reads it, which may refuse what JSON Schema cannot say. */
export async function readByLibrary(value: unknown, read: ReturnType<typeof libraryReader>): Promise<ReadAnswer> {
  const answer = (await read?.(value)) ?? { value };
  return "value" in answer ? answer : { feedback: mismatch("its schema", answer.issues) };
}

const mismatch = (schema: string, issues: readonly ValidationIssue[]): string => {
  const lines = issues.slice(0, ISSUES).map(({ path, message }) => `- ${path || "the answer itself"}: ${message}`);
  return wrong([`It does not match ${schema}:`, ...lines].join("\n"));
};

const wrong = (what: string) =>
  `Your answer cannot be read. ${what}\nWrite the whole answer again: only the JSON value, corrected.`;
