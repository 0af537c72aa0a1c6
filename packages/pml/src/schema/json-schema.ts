import { vocabulary } from "../vocabulary.js";

type Schema = { [keyword: string]: unknown };

const text: Schema = { type: "string" };
const count: Schema = { type: "integer", minimum: 0, maximum: 999_999_999_999_999 };
const keep: Schema = { enum: vocabulary.fact?.attributes.keep?.words };
const marks: Schema = { id: text, keep, alt: text };
const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const list = (...names: string[]): Schema => ({
  type: "array",
  items: names.length === 1 ? ref(String(names[0])) : { anyOf: names.map(ref) },
});

const object = (properties: Schema, ...required: string[]): Schema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const node = (type: string, properties: Schema, ...required: string[]): Schema =>
  object({ type: { const: type }, ...properties }, "type", ...required);

const message = (type: string): Schema =>
  node(
    type,
    { role: text, name: text, ...marks, parts: list("text", "thinking", "attachment", "call", "tool_output", "edit") },
    "parts",
  );

/** Names of additional attributes, besides those that all attachments have. */
const ownAttributes: Schema = {
  type: "object",
  propertyNames: {
    pattern: "^[A-Za-z_][A-Za-z0-9_.-]*$",
    not: {
      anyOf: [{ enum: Object.keys(vocabulary.attachment?.attributes ?? {}) }, { pattern: "^[Xx][Mm][Ll]" }],
    },
  },
  additionalProperties: text,
};

/**
 * The JSON Schema (2020-12) of the tree of a document, as `parsePml` returns it.
 *
 * @example validateValue(JSON.parse(stored), pmlJsonSchema); // [] where it is a document
 */
export const pmlJsonSchema: Schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "A document in the Prompt Markup Language, as a tree",
  ...object(
    {
      version: { const: "1" },
      memory: list("fact", "summary"),
      tools: ref("tools"),
      conversation: ref("conversation"),
    },
    "version",
  ),
  $defs: {
    fact: node("fact", { ...marks, text }, "text"),
    summary: node("summary", { ...marks, text }, "text"),
    tools: object(
      {
        choice: { anyOf: [{ enum: ["auto", "none", "required"] }, object({ name: text }, "name")] },
        list: {
          type: "array",
          items: object({ name: text, description: text, parameters: { type: ["object", "boolean"] } }, "name"),
        },
      },
      "list",
    ),
    conversation: object({ id: text, topic: text, omitted: count, turns: list("turn") }, "turns"),
    turn: object(
      { index: count, id: text, keep, messages: list("system", "user", "assistant", "tool_output") },
      "messages",
    ),
    system: message("system"),
    user: message("user"),
    assistant: message("assistant"),
    text: node("text", { text }, "text"),
    thinking: node("thinking", { text, signature: text }, "text"),
    attachment: node(
      "attachment",
      {
        ...{ kind: text, name: text, path: text, ...marks, url: text, mime: text, encoding: { const: "base64" } },
        ...{ omitted: { const: true }, attributes: ownAttributes, content: text },
      },
      "kind",
    ),
    call: node("call", { id: text, name: text, arguments: { type: "object" } }, "name", "arguments"),
    tool_output: node(
      "tool_output",
      { call: text, name: text, status: { const: "error" }, ...marks, text, attachments: list("attachment") },
      "text",
    ),
    edit: node("edit", { file: text, ...marks, text }, "file", "text"),
  },
};
