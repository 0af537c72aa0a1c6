import type { Converted } from "@toolingua/core/providers";
import fc from "fast-check";
import { expect } from "vitest";
import {
  fromAiSdk,
  fromAtif,
  fromConversation,
  fromConversationState,
  fromLangChain,
  fromLlamaIndex,
  fromMarkdown,
  fromPoml,
  fromProvider,
  type PmlDocument,
  parsePml,
  pmlFromJson,
  pmlToJson,
  stringifyPml,
  toAiSdk,
  toAtif,
  toConversation,
  toConversationState,
  toLangChain,
  toLlamaIndex,
  toMarkdown,
  toPoml,
  toProvider,
} from "../../src/index.js";
import { chats, documents } from "./documents.js";

// Laws that `npm test` tries on some documents and `npm run verify -- pml` on thousands.

const whole = <T>(value: T): Converted<T> => ({ value, losses: [] });
/** Every format, both ways. */
export const formats: Record<
  string,
  { to(document: PmlDocument): Converted<unknown>; from(data: never): Converted<PmlDocument> }
> = {
  messages: { to: toConversation, from: fromConversation },
  openai: { to: (document) => toProvider(document, "openai"), from: (data) => fromProvider(data, "openai") },
  "openai-responses": {
    to: (document) => toProvider(document, "openai-responses"),
    from: (data) => fromProvider(data, "openai-responses"),
  },
  anthropic: { to: (document) => toProvider(document, "anthropic"), from: (data) => fromProvider(data, "anthropic") },
  gemini: { to: (document) => toProvider(document, "gemini"), from: (data) => fromProvider(data, "gemini") },
  langchain: { to: toLangChain, from: fromLangChain },
  llamaindex: { to: toLlamaIndex, from: fromLlamaIndex },
  "ai-sdk": { to: toAiSdk, from: fromAiSdk },
  // These need the id of a conversation.
  state: { to: toConversationState, from: fromConversationState },
  atif: { to: toAtif, from: fromAtif },
  poml: { to: toPoml, from: fromPoml },
  json: { to: (document) => whole(pmlToJson(document)), from: (data) => whole(pmlFromJson(data)) },
  markdown: { to: (document) => whole(toMarkdown(document)), from: fromMarkdown },
};

/** Every tree comes back from its text, and the text from the tree. */
export function roundTripLaw(numRuns: number): void {
  fc.assert(
    fc.property(fc.oneof(documents, chats), fc.constantFrom(0, 2, 3), (document, indent) => {
      const xml = stringifyPml(document, { indent });
      const read = parsePml(xml);
      expect(read).toEqual(document);
      // The order of arguments and attributes, too.
      expect(orders(read)).toEqual(orders(document));
      expect(stringifyPml(read, { indent })).toBe(xml);
    }),
    { numRuns },
  );
}

/** The keys of every call's arguments and every attachment's attributes, in their order. */
function orders(data: unknown): string[][] {
  if (typeof data !== "object" || data === null) return [];
  return Object.entries(data).flatMap(([key, value]) =>
    (key === "arguments" || key === "attributes") && typeof value === "object" && value !== null
      ? [Object.keys(value)]
      : orders(value),
  );
}

/**
 * What a format gives back can be written and read; where neither way reports a loss, it is the document itself. Gives how many
 * documents came back so.
 */
export function conversionLaw(name: string, numRuns: number): number {
  const format = formats[name];
  if (!format) throw new Error(`There is no format ${name}.`);
  let same = 0;
  fc.assert(
    fc.property(fc.oneof(chats, documents), (given) => {
      const document = name === "state" || name === "atif" ? withId(given) : given;
      const { value, losses } = format.to(document);
      const data: unknown = typeof value === "string" ? value : JSON.parse(JSON.stringify(value));
      const back: ReturnType<typeof format.from> = Reflect.apply(format.from, undefined, [data]);
      expect(parsePml(stringifyPml(back.value))).toEqual(back.value);
      if (losses.length > 0 || back.losses.length > 0) return;
      const isProviders = ["openai", "openai-responses", "anthropic", "gemini"].includes(name);
      expect(isProviders ? plainTools(back.value) : back.value).toEqual(isProviders ? plainTools(document) : document);
      same++;
    }),
    { numRuns },
  );
  return same;
}
const withId = (document: PmlDocument): PmlDocument =>
  document.conversation ? { ...document, conversation: { ...document.conversation, id: "c1" } } : document;

/** Providers have their plainest form of a schema, which their own tests are about. */
function plainTools({ tools, ...document }: PmlDocument): object {
  return {
    ...document,
    ...(tools && { tools: { ...tools, list: tools.list.map(({ name, description }) => ({ name, description })) } }),
  };
}
