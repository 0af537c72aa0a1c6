import type { ConversationState } from "@toolingua/core/conversation";
import { type Converted, conversationToJson } from "@toolingua/core/providers";
import {
  fromAiSdk,
  fromAtif,
  fromConversation,
  fromConversationState,
  fromLangChain,
  fromLlamaIndex,
  fromMarkdown,
  fromPoml,
  type PmlDocument,
  parsePml,
  pmlFromJson,
  pmlToJson,
  stringifyPml,
  type ToMessagesOptions,
  toAiSdk,
  toAtif,
  toConversation,
  toConversationState,
  toLangChain,
  toLlamaIndex,
  toMarkdown,
  toPoml,
  toProvider,
} from "@toolingua/pml";
import type { PmlFormat } from "../commands/pml.js";
import { isRecord } from "../json.js";
import { readConversation } from "../render/read-conversation.js";
import { CliError } from "../terminal/errors.js";
import { parseDocument } from "../tool-sources/read-document.js";

/**
 * Converts a text in a format to a document, with the losses.
 *
 * Errors: `CliError` (`bad-input`); those of the conversions, with the location.
 *
 * @example (await documentFrom('[{"role":"user","content":"Hi"}]', "toolingua")).value;
 */
export async function documentFrom(text: string, from: PmlFormat): Promise<Converted<PmlDocument>> {
  switch (from) {
    case "pml":
      return whole(parsePml(text));
    case "json":
      return whole(pmlFromJson(text));
    case "markdown":
      return fromMarkdown(text);
    case "poml":
      return fromPoml(text);
    case "atif":
      return fromAtif(await dataOf(text));
    case "state":
      return fromConversationState(stateIn(await dataOf(text)));
    case "langchain":
      return fromLangChain(messagesIn(await dataOf(text), from));
    case "llamaindex":
      return fromLlamaIndex(messagesIn(await dataOf(text), from));
    case "ai-sdk":
      return fromAiSdk(messagesIn(await dataOf(text), from));
    default: {
      const read = await readConversation(text, from, { images: true });
      const made = fromConversation(read.value);
      return { value: made.value, losses: [...read.losses, ...made.losses] };
    }
  }
}

/**
 * Converts a document to text in a format, with the losses.
 *
 * Errors: those of the conversions, with the location.
 *
 * @example textOf(document, "anthropic", {}).value;
 */
export function textOf(document: PmlDocument, to: PmlFormat, options: ToMessagesOptions): Converted<string> {
  switch (to) {
    case "pml":
      return whole(stringifyPml(document));
    case "json":
      return whole(`${pmlToJson(document, { indent: 2 })}\n`);
    case "markdown":
      return whole(toMarkdown(document));
    case "poml":
      return toPoml(document, options);
    case "atif":
      return inJson(toAtif(document, options));
    case "state":
      return inJson(toConversationState(document, options));
    case "langchain":
      return inJson(toLangChain(document, options));
    case "llamaindex":
      return inJson(toLlamaIndex(document, options));
    case "ai-sdk":
      return inJson(toAiSdk(document, options));
    case "toolingua": {
      const { value, losses } = toConversation(document, options);
      const json = conversationToJson(value, { indent: 2 });
      return { value: `${json.value}\n`, losses: [...losses, ...json.losses] };
    }
    default:
      return inJson(toProvider(document, to, options));
  }
}

const whole = <Value>(value: Value): Converted<Value> => ({ value, losses: [] });

const inJson = ({ value, losses }: Converted<unknown>): Converted<string> => ({
  value: `${JSON.stringify(value, undefined, 2)}\n`,
  losses,
});

const dataOf = (text: string) => parseDocument(text, "The input", false);

/** A list of messages, or an object that has one. */
function messagesIn(data: unknown, from: PmlFormat): readonly unknown[] {
  const messages = isRecord(data) ? data.messages : data;
  if (Array.isArray(messages)) return messages;
  throw new CliError("bad-input", `--from ${from}: the input is a list of messages, or an object with \`messages\`.`);
}

function stateIn(data: unknown): ConversationState {
  if (isState(data)) return data;
  throw new CliError(
    "bad-input",
    "--from state: the input is what a ToolConversation's toJSON gives: { version, log }.",
  );
}

const isState = (data: unknown): data is ConversationState =>
  isRecord(data) && "version" in data && "log" in data && Array.isArray(data.log);
