import { isObject } from "@toolingua/core/adapters";
import {
  type Conversation,
  type Converted,
  conversationFromJson,
  ProviderFormatError,
  type ProviderName,
  providers,
} from "@toolingua/core/providers";
import { misspelt } from "../json.js";
import { CliError } from "../terminal/errors.js";
import { hintOf } from "./hint-of.js";

/** The form of messages: that of a provider or Toolingua's, or `auto`, which finds out. */
export type MessagesForm = "auto" | "toolingua" | ProviderName;

/**
 * Reads messages from a text: a conversation in JSON or YAML, the body of a provider's request, or a message of the
 * user.
 *
 * Errors: `CliError` (`bad-input`), with the location.
 *
 * @param isData whether the text is a file of JSON or YAML
 * @example (await readConversation("2 + 3?", "auto")).value; // { messages: [{ role: "user", content: "2 + 3?" }] }
 */
export async function readConversation(
  text: string,
  from: MessagesForm,
  { isData = false, ...options }: { images?: boolean; isData?: boolean } = {},
): Promise<Converted<Conversation>> {
  if (from === "auto" && (await dataOf(text, isData)) === undefined) {
    if (text.trim() === "") throw new CliError("bad-input", "There are no messages: the input is empty.");
    return { value: { messages: [{ role: "user", content: text.trim() }] }, losses: [] };
  }
  const { request } = await requestIn(text, from);
  const form = from === "auto" ? formOf(request) : from;
  try {
    return inForm(request, form, options);
  } catch (error) {
    if (!(error instanceof ProviderFormatError)) throw error;
    throw new CliError("bad-input", error.message + hintOf(error, request), { cause: error });
  }
}

function inForm(
  request: Record<string, unknown>,
  form: Exclude<MessagesForm, "auto">,
  options: { images?: boolean },
): Converted<Conversation> {
  switch (form) {
    case "toolingua":
      return conversationFromJson(JSON.stringify(request));
    case "gemini":
      if (!hasContents(request)) throw lacking(form, "`contents`", misspelt(request, ["contents"]));
      return providers.gemini.fromRequest(request, options);
    case "openai-responses":
      return providers["openai-responses"].fromRequest(request, options);
    default:
      if (!hasMessages(request)) throw refusedMessages(request, form);
      return providers[form].fromRequest(request, options);
  }
}

/**
 * The body of a request in JSON or YAML; `isList`: only its messages are given.
 *
 * Errors: `CliError` (`bad-input`).
 */
export async function requestIn(
  text: string,
  from: MessagesForm,
): Promise<{ request: Record<string, unknown>; isList: boolean }> {
  const data = await dataOf(text, true);
  if (data === undefined) throw new CliError("bad-input", `--from ${from}: the messages are neither JSON nor YAML.`);
  return Array.isArray(data) ? { request: { messages: data }, isList: true } : { request: data, isList: false };
}

/**
 * The data of a text that is JSON or YAML; undefined for any other text. `isData`: it is a file of data, not what a user typed,
 * so YAML is recognised even if nothing in it looks like messages.
 */
async function dataOf(text: string, isData: boolean): Promise<Record<string, unknown> | unknown[] | undefined> {
  const isJson = /^\s*[[{]/.test(text);
  if (!isJson && !isData && !/^(?:messages|contents|input|- role)\b.*:/m.test(text)) return undefined;
  const { parseDocument } = await import("../tool-sources/read-document.js");
  const data = await parseDocument(text, "The input", !isJson);
  return isObject(data) || Array.isArray(data) ? data : undefined;
}

/** Detects the form by a field that only this form has. */
function formOf(request: Record<string, unknown>): Exclude<MessagesForm, "auto"> {
  if ("contents" in request) return "gemini";
  if ("input" in request) return "openai-responses";
  if ("functions" in request) return "openai-functions";
  const messages = Array.isArray(request.messages) ? request.messages.filter(isObject) : [];
  const tools = Array.isArray(request.tools) ? request.tools.filter(isObject) : [];
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isObject) : []));
  const isAnthropic =
    "system" in request ||
    tools.some((tool) => "input_schema" in tool) ||
    parts.some(({ type }) => type === "tool_use" || type === "tool_result");
  if (isAnthropic) return "anthropic";
  const isOpenAI =
    parts.length > 0 ||
    tools.some((tool) => "function" in tool) ||
    messages.some((message) => "tool_calls" in message || "tool_call_id" in message || message.role === "developer");
  return isOpenAI ? "openai" : "toolingua";
}

type Messages = { messages: { role: string }[] };

const hasRole = (message: unknown) => isObject(message) && typeof message.role === "string";

const hasMessages = (request: object): request is Messages =>
  "messages" in request && Array.isArray(request.messages) && request.messages.every(hasRole);

/** What is wrong with messages that `hasMessages` refuses. */
function refusedMessages({ messages, ...rest }: Record<string, unknown>, form: string): CliError {
  if (!Array.isArray(messages)) return lacking(form, "a list `messages`", misspelt(rest, ["messages"]));
  const index = messages.findIndex((message) => !hasRole(message));
  const message = `The messages of a request to ${form} have a \`role\`, such as "user"; messages[${index}] has none.`;
  return new CliError("bad-input", message + misspelt(messages[index], ["role"]));
}

const hasContents = (request: object): request is { contents: string | object } =>
  "contents" in request &&
  (typeof request.contents === "string" || Array.isArray(request.contents) || isObject(request.contents));

const lacking = (form: string, field: string, hint: string) =>
  new CliError("bad-input", `The body of a request to ${form} has ${field}; this has none.${hint}`);
