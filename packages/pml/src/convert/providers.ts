import {
  type Converted,
  converted,
  type Losses,
  ProviderFormatError,
  type ProviderName,
  providers,
  type ReadConversation,
} from "@toolingua/core/providers";
import type { PmlDocument } from "../tree.js";
import { conversationIn, fromConversation, type ToMessagesOptions } from "./messages.js";

type Formats = typeof providers;
export type ProviderRequest<Name extends ProviderName> = ReturnType<Formats[Name]["toRequest"]>["value"];
export type GivenProviderRequest<Name extends ProviderName> = Parameters<Formats[Name]["fromRequest"]>[0];

/** What each provider's format reads and writes. */
const formats: {
  [Name in ProviderName]: {
    toRequest(conversation: ReadConversation): Converted<ProviderRequest<Name>>;
    fromRequest(request: GivenProviderRequest<Name>, options: { images: boolean }): Converted<ReadConversation>;
  };
} = providers;

/**
 * A document as the fields of a request to a provider: messages, tools and the choice among them. Losses name the place in the
 * document, those of the provider's format too.
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

/** The place in the document of what stands at a place in the conversation. */
export function inDocument(path: string, origins: readonly string[]): string {
  const [, message] = /^\/messages\/(\d+)/.exec(path) ?? [];
  if (message !== undefined) return origins[Number(message)] ?? "/conversation";
  if (path.startsWith("/toolChoice")) return path.replace("/toolChoice", "/tools/choice");
  return path.replace(/^\/tools(?=\/|$)/, "/tools/list");
}

/**
 * A request to a provider as a document, images of users among it. Losses name the place in the request.
 *
 * Errors: `ProviderFormatError` for what is no such request.
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
    addAll(losses, made.losses);
    return made.value;
  });
}

function checkName(provider: string): void {
  if (Object.hasOwn(providers, provider)) return;
  const names = Object.keys(providers).map((name) => JSON.stringify(name));
  throw new ProviderFormatError("provider", names.join(" or "), provider);
}

/** Adds what another conversion lost. */
export function addAll(losses: Losses, more: Converted<unknown>["losses"]): void {
  for (const { path, what, why } of more) losses.add(path, what, why);
}
