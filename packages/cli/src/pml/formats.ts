import { isObject } from "@toolingua/core/adapters";
import type { ConversationState } from "@toolingua/core/conversation";
import { type Converted, conversationFromJson, conversationToJson, type ProviderName } from "@toolingua/core/providers";
import * as pml from "@toolingua/pml";
import { conversationStateIn } from "../files/conversation-state.js";
import { requestIn } from "../render/read-conversation.js";
import { CliError } from "../terminal/errors.js";
import { parseDocument } from "../tool-sources/read-document.js";
import type { PmlFormat } from "./format-names.js";

type Read = Converted<pml.PmlDocument>;
type Options = pml.ToMessagesOptions;

/** A format that documents are converted from and to. */
interface Format {
  read(text: string): Read | Promise<Read>;
  write(document: pml.PmlDocument, options: Options): Converted<string>;
}

const whole = <Value>(value: Value): Converted<Value> => ({ value, losses: [] });

const dataOf = (text: string) => parseDocument(text, "The input", false);

const jsonOf = ({ value, losses }: Converted<unknown>): Converted<string> => ({
  value: `${JSON.stringify(value, undefined, 2)}\n`,
  losses,
});

/** One of JSON. */
const inJson = (
  read: (data: unknown) => Read,
  write: (document: pml.PmlDocument, options: Options) => Converted<unknown>,
): Format => ({
  read: async (text) => read(await dataOf(text)),
  write: (document, options) => jsonOf(write(document, options)),
});

/** A list of messages, or an object that has one. */
const inMessages = (
  name: PmlFormat,
  read: (messages: readonly unknown[]) => Read,
  write: (document: pml.PmlDocument, options: Options) => Converted<unknown>,
): Format =>
  inJson((data) => {
    if (Array.isArray(data)) return read(data);
    if (isObject(data) && Array.isArray(data.messages)) return moved(read(data.messages), (path) => `/messages${path}`);
    throw new CliError("bad-input", `--from ${name}: the input is a list of messages, or an object with \`messages\`.`);
  }, write);

/** What was read, with the places of its losses in the input. */
const moved = ({ value, losses }: Read, place: (path: string) => string): Read => ({
  value,
  losses: losses.map((loss) => ({ ...loss, path: place(loss.path) })),
});

/** The body of a request, or its list of messages. */
async function readRequest(text: string, from: ProviderName | "toolingua"): Promise<Read> {
  const { request, isList } = await requestIn(text, from);
  const read = from === "toolingua" ? conversationOf(request) : pml.fromProvider(request, from);
  return isList ? moved(read, (path) => path.replace(/^\/messages/, "")) : read;
}

function conversationOf(request: object): Read {
  const read = conversationFromJson(JSON.stringify(request));
  const made = pml.fromConversation(read.value);
  return { value: made.value, losses: [...read.losses, ...made.losses] };
}

/** The body of a request to a provider. */
const ofProvider = (name: ProviderName): Format => ({
  read: (text) => readRequest(text, name),
  write: (document, options) => jsonOf(pml.toProvider(document, name, options)),
});

const formats: Readonly<Record<PmlFormat, Format>> = {
  pml: { read: (text) => whole(pml.parsePml(text)), write: (document) => whole(pml.stringifyPml(document)) },
  json: {
    read: (text) => whole(pml.pmlFromJson(text)),
    write: (document) => whole(`${pml.pmlToJson(document, { indent: 2 })}\n`),
  },
  markdown: { read: pml.fromMarkdown, write: (document) => whole(pml.toMarkdown(document)) },
  poml: { read: (text) => pml.fromPoml(text), write: pml.toPoml },
  atif: inJson(pml.fromAtif, pml.toAtif),
  state: inJson((data) => pml.fromConversationState(stateIn(data)), pml.toConversationState),
  langchain: inMessages("langchain", pml.fromLangChain, pml.toLangChain),
  llamaindex: inMessages("llamaindex", pml.fromLlamaIndex, pml.toLlamaIndex),
  "ai-sdk": inMessages("ai-sdk", pml.fromAiSdk, pml.toAiSdk),
  toolingua: {
    read: (text) => readRequest(text, "toolingua"),
    write(document, options) {
      const { value, losses } = pml.toConversation(document, options);
      // Documents are plain data, which JSON keeps.
      return { value: `${conversationToJson(value, { indent: 2 }).value}\n`, losses };
    },
  },
  openai: ofProvider("openai"),
  "openai-responses": ofProvider("openai-responses"),
  "openai-functions": ofProvider("openai-functions"),
  anthropic: ofProvider("anthropic"),
  gemini: ofProvider("gemini"),
};

/**
 * Converts a text in a format to a document, with the losses.
 *
 * Errors: `CliError` (`bad-input`); those of the conversions, with the location.
 *
 * @example (await documentFrom('[{"role":"user","content":"Hi"}]', "toolingua")).value;
 */
export const documentFrom = async (text: string, from: PmlFormat): Promise<Read> => formats[from].read(text);

/**
 * Converts a document to text in a format, with the losses.
 *
 * Errors: those of the conversions, with the location.
 *
 * @example textOf(document, "anthropic", {}).value;
 */
export const textOf = (document: pml.PmlDocument, to: PmlFormat, options: Options): Converted<string> =>
  formats[to].write(document, options);

function stateIn(data: unknown): ConversationState {
  const state = conversationStateIn(data, "The input");
  if (state) return state;
  throw new CliError(
    "bad-input",
    "--from state: the input is what a ToolConversation's toJSON gives: { version, log }.",
  );
}
