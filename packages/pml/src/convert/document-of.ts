import { unescapeText } from "@toolingua/core";
import { parsePml } from "../read/parse-pml.js";
import type { PmlDocument, PmlMemoryItem, PmlMessage, PmlToolOutput, PmlTools, PmlTurn } from "../tree.js";
import { TurnOrder } from "./turn-order.js";

/**
 * Builds a document from messages. A turn begins where a user speaks after an answer. A first system message that
 * consists of `<memory>` becomes the memory.
 */
export function documentOf(
  nodes: readonly (PmlMessage | PmlToolOutput)[],
  more: {
    id?: string | undefined;
    topic?: string | undefined;
    tools?: PmlTools | undefined;
    memory?: PmlMemoryItem[];
  } = {},
): PmlDocument {
  const remembered = memoryIn(nodes[0]);
  const memory = more.memory ?? remembered;
  const turns: PmlTurn[] = [];
  const order = new TurnOrder();
  for (const node of remembered ? nodes.slice(1) : nodes) {
    const begins = order.begins(node.type);
    const current = turns.at(-1);
    if (current && !begins) current.messages.push(node);
    else turns.push({ index: turns.length + 1, messages: [node] });
  }
  const { id, topic, tools } = more;
  const isConversation = turns.length > 0 || id !== undefined || topic !== undefined;
  return {
    version: "1",
    ...(memory && { memory }),
    ...(tools && { tools }),
    ...(isConversation && {
      conversation: { ...(id !== undefined && { id }), ...(topic !== undefined && { topic }), turns },
    }),
  };
}

function memoryIn(node: PmlMessage | PmlToolOutput | undefined): PmlMemoryItem[] | undefined {
  if (node?.type !== "system" || node.parts.length !== 1) return undefined;
  const [part] = node.parts;
  if (part?.type !== "text" || !/^<memory>[\s\S]*<\/memory>$/.test(part.text)) return undefined;
  try {
    const { memory } = parsePml(part.text, { maxLength: Number.POSITIVE_INFINITY });
    return memory?.length ? memory.map(unescaped) : undefined;
  } catch {
    return undefined;
  }
}

/** A remembered item with the markers that were broken for the prompt. */
function unescaped(item: PmlMemoryItem): PmlMemoryItem {
  const { id, alt, text } = item;
  return {
    ...item,
    ...(id !== undefined && { id: unescapeText(id) }),
    ...(alt !== undefined && { alt: unescapeText(alt) }),
    text: unescapeText(text),
  };
}
