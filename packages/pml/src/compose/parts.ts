import { jsonPointer } from "@toolingua/core/adapters";
import type { PmlDocument, PmlMessage, PmlPart, PmlToolOutput } from "../tree.js";

/**
 * The document with each part of its messages, and each output, replaced by the result of `change`; `undefined` removes
 * it.
 */
export function eachPart(
  document: PmlDocument,
  change: (part: PmlPart, path: string) => PmlPart | undefined,
): PmlDocument {
  const { conversation } = document;
  if (!conversation) return document;
  const turns = conversation.turns.map((turn, i) => {
    const messages = turn.messages.flatMap((node, j): (PmlMessage | PmlToolOutput)[] => {
      const path = jsonPointer("/conversation/turns", i, "messages", j);
      if (node.type === "tool_output") {
        const changed = change(node, path);
        return changed?.type === "tool_output" ? [changed] : [];
      }
      const parts = node.parts.flatMap((part, k) => change(part, jsonPointer(path, "parts", k)) ?? []);
      return [{ ...node, parts }];
    });
    return { ...turn, messages };
  });
  return { ...document, conversation: { ...conversation, turns } };
}
