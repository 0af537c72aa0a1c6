import { jsonPointer } from "@toolingua/core/adapters";
import { CallIds, type CallUnit } from "../convert/call-ids.js";
import type { Keep, Marks, PmlDocument, PmlMemoryItem, PmlPart, PmlToolOutput } from "../tree.js";
import { keepLevels } from "../vocabulary.js";

/** A part that can be pruned on its own, and its place. */
export interface Leaf {
  node: PmlMemoryItem | PmlPart;
  /** Its path in the given document. */
  path: string;
  level: Keep;
  /** The index of its turn; absent in the memory. */
  turn?: number;
  /** The index of the turn that it is dropped with: the last one that contains its call or an output of it. */
  droppedWith?: number;
  /** The call and outputs that it belongs to. */
  unit?: CallUnit;
  /** The output that it is attached to, and removed with. */
  output?: Leaf;
}

/** The importance of nodes, by `#id` and by element. */
type KeepRules = Readonly<Record<string, Keep>>;

const DEFAULTS: Readonly<Record<string, Keep>> = {
  ...{ system: "always", fact: "high", summary: "high", thinking: "low" },
};

/** The levels, the first to be pruned first. */
export const LEVELS: readonly Keep[] = keepLevels.toReversed();

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
    return { node, path: jsonPointer("/memory", i), level };
  });
  const ids = new CallIds();
  ids.reserve(conversation?.turns ?? []);
  conversation?.turns.forEach((turn, i) => {
    const ofTurn = saidOf(turn, rules, undefined);
    turn.messages.forEach((message, j) => {
      const path = jsonPointer("/conversation/turns", i, "messages", j);
      if (message.type === "tool_output") {
        addLeaf(message, path, ofTurn);
        return;
      }
      const own = saidOf(message, rules, ofTurn) ?? DEFAULTS[message.type];
      message.parts.forEach((part, k) => {
        addLeaf(part, jsonPointer(path, "parts", k), own);
      });
    });

    function addLeaf(node: PmlPart, at: string, outer: Keep | undefined, output?: Leaf): void {
      const marks: { type: string } & Marks = node;
      const said = saidOf(marks, rules, outer);
      const unit = unitOf(node, ids);
      const leaf: Leaf = {
        ...{ node, path: at, level: said ?? DEFAULTS[node.type] ?? "normal", turn: i },
        ...(unit && { unit }),
        ...(output && { output }),
      };
      leaves.push(leaf);
      const attachments = node.type === "tool_output" ? (node.attachments ?? []) : [];
      attachments.forEach((one, k) => {
        addLeaf(one, jsonPointer(at, "attachments", k), said, leaf);
      });
    }
  });
  keepTogether(leaves);
  return leaves;
}

/** Gives a call, its outputs and their attachments the highest level among them, and the same time of removal. */
function keepTogether(leaves: readonly Leaf[]): void {
  const levels = new Map<CallUnit, Keep>();
  const turns = new Map<CallUnit, number>();
  for (const { unit, output, level, turn } of leaves) {
    const whole = unit ?? output?.unit;
    if (whole === undefined) continue;
    levels.set(whole, dearer(levels.get(whole) ?? "low", level));
    if (turn !== undefined) turns.set(whole, Math.max(turns.get(whole) ?? 0, turn));
  }
  for (const leaf of leaves) {
    const { unit, turn } = leaf;
    if (unit) leaf.level = levels.get(unit) ?? leaf.level;
    const last = unit ? turns.get(unit) : turn;
    if (last !== undefined) leaf.droppedWith = last;
  }
}

function unitOf(node: PmlPart, ids: CallIds): CallUnit | undefined {
  if (node.type === "call") return ids.called(node);
  return node.type === "tool_output" ? ids.answered(node).unit : undefined;
}

export const isOutput = (node: object): node is PmlToolOutput => "type" in node && node.type === "tool_output";
