import { estimateTokens } from "@toolingua/core/adapters";
import { type PmlAttachment, type PmlDocument, type PmlPart, type PmlToolOutput, stringifyPml } from "@toolingua/pml";

/** The number of elements of a kind in a document, and their length. */
interface PmlCount {
  what: string;
  count: number;
  /** The length of their texts, without markup. */
  characters: number;
  tokens: number;
}

/** See {@link countPml}. */
interface PmlCounts {
  /** The tokens of the whole text, including markup. */
  tokens: number;
  characters: number;
  turns: number;
  /** The kinds of elements, the longest first. */
  parts: PmlCount[];
}

/**
 * Counts the contents of a document. Tokens are estimated as in `prunePml`.
 *
 * @example countPml(document).tokens;
 */
export function countPml(document: PmlDocument): PmlCounts {
  const { memory = [], tools, conversation } = document;
  const turns = conversation?.turns ?? [];
  const found = new Map<string, { count: number; characters: number }>();
  const add = (what: string, text: string) => {
    const { count, characters } = found.get(what) ?? { count: 0, characters: 0 };
    found.set(what, { count: count + 1, characters: characters + text.length });
  };
  const addPart = (part: PmlPart, speaker: string) => {
    if (part.type === "call") add("call", JSON.stringify(part.arguments));
    else if (part.type === "attachment") addAttachment(part);
    else if (part.type === "tool_output") addOutput(part);
    else add(part.type === "text" ? `${speaker} text` : part.type, part.text);
  };
  const addAttachment = ({ kind, content = "" }: PmlAttachment) => add(`attachment (${kind})`, content);
  const addOutput = ({ text, attachments = [] }: PmlToolOutput) => {
    add("tool output", text);
    for (const attachment of attachments) addAttachment(attachment);
  };
  for (const { type, text } of memory) add(type, text);
  for (const { parameters, ...about } of tools?.list ?? []) add("tool", JSON.stringify({ ...about, parameters }));
  for (const node of turns.flatMap(({ messages }) => messages)) {
    if (node.type === "tool_output") addOutput(node);
    else for (const part of node.parts) addPart(part, node.type);
  }
  const characters = stringifyPml(document).length;
  const parts = [...found].map(([what, sizes]) => ({ what, ...sizes, tokens: estimateTokens(sizes.characters) }));
  return {
    ...{ tokens: estimateTokens(characters), characters, turns: turns.length },
    parts: parts.sort((a, b) => b.characters - a.characters),
  };
}
