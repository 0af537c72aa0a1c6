import { jsonPointer } from "@toolingua/core/providers";
import { CallIds } from "../convert/call-ids.js";
import type { Keep, Marks, PmlDocument, PmlMemoryItem, PmlMessage, PmlPart, PmlToolOutput } from "../tree.js";

/** A part that can be pruned on its own, and its place. */
export interface Leaf {
  node: PmlMemoryItem | PmlPart;
  /** Its path in the given document. */
  path: string;
  /** The list that contains it. */
  list: (PmlMemoryItem | PmlMessage | PmlPart)[];
  level: Keep;
  /** The index of its turn; absent in the memory. */
  turn?: number;
  /** Connects a call and its outputs. */
  unit?: string;
}

/** The importance of nodes, by `#id` and by element. */
export type KeepRules = Readonly<Record<string, Keep>>;

const DEFAULTS: Readonly<Record<string, Keep>> = {
  ...{ system: "always", fact: "high", summary: "high", thinking: "low" },
};

/** The levels, the first to be pruned first. */
export const LEVELS: readonly Keep[] = ["low", "normal", "high", "always"];

const dearer = (a: Keep, b: Keep): Keep => (LEVELS.indexOf(a) >= LEVELS.indexOf(b) ? a : b);

/** The level given for a node, or for its parent. */
function saidOf(node: { type?: string } & Marks, rules: KeepRules, outer: Keep | undefined): Keep | undefined {
  const byId = node.id === undefined ? undefined : rules[`#${node.id}`];
  return byId ?? node.keep ?? (node.type === undefined ? rules.turn : rules[node.type]) ?? outer;
}

/** Everything in a document that can be pruned, the oldest first. */
export function leavesIn({ memory = [], conversation }: PmlDocument, rules: KeepRules): Leaf[] {
  const leaves = memory.map((node, i): Leaf => {
    const level = saidOf(node, rules, undefined) ?? DEFAULTS[node.type] ?? "normal";
    return { node, path: jsonPointer("/memory", i), list: memory, level };
  });
  const ids = new CallIds();
  ids.reserve(conversation?.turns ?? []);
  conversation?.turns.forEach((turn, i) => {
    const ofTurn = saidOf(turn, rules, undefined);
    turn.messages.forEach((message, j) => {
      const path = jsonPointer("/conversation/turns", i, "messages", j);
      if (message.type === "tool_output") {
        leaves.push(leafOf(message, path, turn.messages, ofTurn));
        return;
      }
      const own = saidOf(message, rules, ofTurn) ?? DEFAULTS[message.type];
      message.parts.forEach((part, k) => {
        leaves.push(leafOf(part, jsonPointer(path, "parts", k), message.parts, own));
      });
    });

    function leafOf(node: PmlPart, at: string, list: Leaf["list"], outer: Keep | undefined): Leaf {
      const marks: { type: string } & Marks = node;
      const level = saidOf(marks, rules, outer) ?? DEFAULTS[node.type] ?? "normal";
      const unit = unitOf(node, ids);
      return { node, path: at, list, level, turn: i, ...(unit !== undefined && { unit }) };
    }
  });
  // A call and its outputs have the highest level among them.
  const levels = new Map<string, Keep>();
  for (const { unit, level } of leaves) {
    if (unit !== undefined) levels.set(unit, dearer(levels.get(unit) ?? "low", level));
  }
  return leaves.map((leaf) => ({ ...leaf, level: (leaf.unit !== undefined && levels.get(leaf.unit)) || leaf.level }));
}

function unitOf(node: PmlPart, ids: CallIds): string | undefined {
  if (node.type === "call") return ids.called(node);
  return node.type === "tool_output" ? ids.answered(node).id : undefined;
}

export const isOutput = (node: object): node is PmlToolOutput => "type" in node && node.type === "tool_output";
