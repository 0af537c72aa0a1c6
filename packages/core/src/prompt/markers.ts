import type { Protocol } from "../protocol.js";
import { reasoningSpans } from "../syntax/reasoning-spans.js";
import { closersOf, markerOf, openersOf, type Spelling, spellingOfMarker } from "../syntax/spelling.js";
import { type Guard, guardOf, type NamedMarker, namedMarkersOf } from "../syntax/spelling-pattern.js";
import { formsOf, isBare, type Syntax, spansOf } from "../syntax/syntax.js";
import { inAllSpellings } from "../syntax/token-spellings.js";
import { endTokens, headTokens, turnsAfterCalls } from "../syntax/turn-tokens.js";
import { framesOf } from "./frames.js";

/**
 * The markers of calls, results and reasoning in this syntax, in all spellings of their tokens: those that every form
 * begins and ends with, the spans and the stop sequences. A form without markers (bare JSON) has none.
 *
 * @example
 * markersOf(hermes.syntax); // ["<tool_call>", "<|im_start|>", "[TOOL_REQUEST]", "</tool_call>", "[END_TOOL_REQUEST]", "<think>", …]
 */
export function markersOf(syntax: Syntax): string[] {
  const openers = formsOf(syntax).flatMap((form) => openersOf(form).flatMap((opener) => markerOf(opener) ?? []));
  return [...new Set([...openers.filter(isWord), ...otherMarkers(syntax)])];
}

/**
 * The markers that begin reasoning and those that end it, in these protocols and in any format; each opener once. Labels have
 * no end.
 */
export function reasoningSpansOf(protocols: readonly Protocol[]): { open: string; close: string }[] {
  const spans = new Map<string, { open: string; close: string }>();
  for (const { open, close, as } of [...protocols.flatMap(({ syntax }) => spansOf(syntax)), ...reasoningSpans]) {
    if (as === "reasoning" && close !== undefined && !spans.has(open)) spans.set(open, { open, close });
  }
  return [...spans.values()];
}

/** The markers of a syntax that do not begin a call. */
function otherMarkers(syntax: Syntax): string[] {
  const closers = formsOf(syntax).flatMap((form) => {
    const { call, block } = isBare(form) ? { call: [], block: [] } : closersOf(form);
    return [call.at(-1) ?? "", ...block].filter((marker) => /[<[]/.test(marker));
  });
  const spans = spansOf(syntax).flatMap((span) => [span.open, span.close ?? []].flat());
  const messages = syntax.messages ? [...syntax.messages.open, ...syntax.messages.close, syntax.messages.text] : [];
  const ignored = inAllSpellings([...(syntax.noise ?? []), ...(syntax.stop ?? []), ...(syntax.turns ?? [])]);
  const alone = [...spans, ...ignored, ...messages];
  return [...closers, ...alone.flatMap(pieces)].filter(isWord);
}

/** A marker must contain a letter, so punctuation is not one, and more than a word. */
const isWord = (marker: string) => /\p{L}/u.test(marker) && !/^\w+$/.test(marker);

/** The tags of a literal; a literal without tags is one marker. */
const pieces = (literal: string): string[] => (literal.match(/<[^<>]*>?/g) ?? [literal]).map((tag) => tag.trim());

/**
 * The markers of these protocols that untrusted text must not contain if they are understood, except those with tools'
 * names. Formats share most of their markers, and each is returned once.
 */
export function guardedIn(protocols: readonly Protocol[]): Spelling[] {
  const openers = new Map<string, Spelling>();
  const others = new Set<string>();
  for (const protocol of protocols) {
    for (const opener of openersOfAll(protocol.syntax)) openers.set(JSON.stringify(opener), opener);
    const { section, results } = framesOf(protocol);
    for (const marker of [...otherMarkers(protocol.syntax), ...section, ...results]) others.add(marker);
  }
  return [...openers.values(), ...[...others].map(spellingOfMarker)];
}

/** The markers of these protocols that contain a tool's name, each once. */
export function namedMarkersIn(protocols: readonly Protocol[]): NamedMarker[] {
  const markers = protocols.flatMap(({ syntax }) => openersOfAll(syntax).flatMap(namedMarkersOf));
  return [...new Map(markers.map((marker) => [marker.pattern.join(""), marker])).values()];
}

/** The openers of all forms. Their tag need not be complete: its end may be missing, or be in the prompt. */
const openersOfAll = (syntax: Syntax): Spelling[] =>
  formsOf(syntax)
    .flatMap(openersOf)
    .map((opener) => (opener.kind === "tag" ? { ...opener, attributes: true } : opener));

/** The guard of a marker that does not begin a call. */
export const guardOfMarker = (marker: string): Guard => guardOf(spellingOfMarker(marker));

/** Whether a token is guarded by its shape: only the bars of its ends are in it. */
const isShaped = (token: string): boolean => /^(?:<[|｜][^|｜>\s]+[|｜]?>|\[\|\w+\|\]|<[^|｜>\s]+[|｜]>)/.test(token);

/**
 * Control text of well-known chat templates. A tokenizer that reads special tokens in message text would read it as
 * the end of a turn or the start of another. Every `<|name|>`, `<|name>`, `<name|>`, `<｜name｜>` and `[|name|]` is
 * guarded by its shape (see escape.ts); these are the others. Sources: the chat templates published with the models.
 */
export const templateMarkers: readonly string[] = [
  ...[...endTokens, ...headTokens, ...turnsAfterCalls.map(({ open }) => open)].filter((token) => !isShaped(token)),
  // Gemma 1 to 3, FunctionGemma
  ...["<start_of_turn>", "<end_of_turn>", "<bos>", "<eos>", "<start_of_image>"],
  ...["<start_function_call>", "<end_function_call>", "<start_function_response>", "<end_function_response>"],
  ...["<start_function_declaration>", "<end_function_declaration>", "<escape>"],
  // Llama 2, Mistral
  ...["<s>", "</s>", "<unk>", "<pad>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>"],
  ...["[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_CALLS]", "[ARGS]"],
  ...["[CALL_ID]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CONTENT]", "[THINK]", "[/THINK]", "[IMG]"],
  // Seed-OSS, MiniMax, Reka
  ...["<seed:bos>", "<seed:eos>", "<seed:think>", "<seed:tool_call>", "<minimax:tool_call>"],
  ...["]~!b[", "]~b]", "[e~[", "<sep>"],
  // MiniMax M1; Kimi K2; openPangu
  ...["<end_of_sentence>", "[EOS]", "[unused9]", "[unused10]"],
];
