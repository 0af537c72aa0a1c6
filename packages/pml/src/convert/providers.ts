import { converted, type Losses } from "@toolingua/core/adapters";
import {
  type Conversation,
  type Converted,
  ProviderFormatError,
  type ProviderName,
  providers,
} from "@toolingua/core/providers";
import type { PmlDocument } from "../tree.js";
import { conversationIn, fromConversation, type ToMessagesOptions } from "./messages.js";
import { requestPlaces } from "./request-places.js";

type Formats = typeof providers;
export type ProviderRequest<Name extends ProviderName> = ReturnType<Formats[Name]["toRequest"]>["value"];
export type GivenProviderRequest<Name extends ProviderName> = Parameters<Formats[Name]["fromRequest"]>[0];

/** The types that each provider's format reads and writes. */
const formats: {
  [Name in ProviderName]: {
    toRequest(conversation: Conversation): Converted<ProviderRequest<Name>>;
    fromRequest(request: GivenProviderRequest<Name>, options: { images: boolean }): Converted<Conversation>;
  };
} = providers;

/**
 * Converts a document to fields of a provider's request: messages, tools and tool choice. All losses, including those
 * of the provider's format, name the place in the document.
 *
 * Errors: `PmlTreeError` `bad-tree`; `ProviderFormatError`.
 *
 * @example await client.messages.create({ model, max_tokens: 1000, ...toProvider(document, "anthropic").value });
 */
export function toProvider<Name extends ProviderName>(
  document: PmlDocument,
  provider: Name,
  options: ToMessagesOptions = {},
): Converted<ProviderRequest<Name>> {
  return converted((losses) => {
    checkName(provider);
    const { conversation, origins } = conversationIn(document, losses, options);
    const { value, losses: lost } = formats[provider].toRequest(conversation);
    for (const { path, what, why } of lost) losses.add(inDocument(path, origins), what, why);
    return value;
  });
}

/** Maps a path in the conversation to the path in the document. */
function inDocument(path: string, origins: readonly string[]): string {
  const [, message] = /^\/messages\/(\d+)/.exec(path) ?? [];
  if (message !== undefined) return origins[Number(message)] ?? "/conversation";
  if (path.startsWith("/toolChoice")) return path.replace("/toolChoice", "/tools/choice");
  return path.replace(/^\/tools(?=\/|$)/, "/tools/list");
}

/**
 * Converts a provider's request to a document, including users' images. Losses name the place in the request.
 *
 * Errors: `ProviderFormatError` for data that is not such a request.
 *
 * @example const { value: document, losses } = fromProvider(body, "openai");
 */
export function fromProvider<Name extends ProviderName>(
  request: GivenProviderRequest<Name>,
  provider: Name,
): Converted<PmlDocument> {
  return converted((losses) => {
    checkName(provider);
    const read = formats[provider].fromRequest(request, { images: true });
    addAll(losses, read.losses);
    const made = fromConversation(read.value);
    if (made.losses.length > 0) {
      const placeOf = requestPlaces({ ...request }, read.value.messages.length, (part) => messagesIn(part, provider));
      for (const { path, what, why } of made.losses) losses.add(placeOf(path), what, why);
    }
    return made.value;
  });
}

/** How many messages are read of a request. Errors: `ProviderFormatError`. */
function messagesIn(request: unknown, provider: ProviderName): number {
  const { fromRequest } = formats[provider];
  const read: ReturnType<typeof fromRequest> = Reflect.apply(fromRequest, formats[provider], [
    request,
    { images: true },
  ]);
  return read.value.messages.length;
}

function checkName(provider: string): void {
  if (Object.hasOwn(providers, provider)) return;
  const names = Object.keys(providers).map((name) => JSON.stringify(name));
  throw new ProviderFormatError("provider", names.join(" or "), provider);
}

/** Adds the losses of another conversion. */
export function addAll(losses: Losses, more: Converted<unknown>["losses"]): void {
  for (const { path, what, why } of more) losses.add(path, what, why);
}
