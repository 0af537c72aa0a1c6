import { OptionsError } from "@toolingua/core";
import { jsonPointer } from "@toolingua/core/adapters";
import { eachPart } from "../compose/parts.js";
import { PmlEditError } from "../errors.js";
import { checkTree } from "../schema/check-tree.js";
import type { Keep, PmlDocument, PmlText, PmlTurn } from "../tree.js";
import { documentElement, memoryElement, nodeElement, type OutElement } from "../write/elements.js";
import { writeElement } from "../write/stringify-pml.js";
import { isOutput, LEVELS, type Leaf, leavesIn } from "./leaves.js";
import { type PrunePmlOptions, pruneOptionsOf } from "./options.js";
import { shortened } from "./shorten.js";

/** One pruned node. */
export interface Pruned {
  /** Its JSON pointer in the given document. */
  path: string;
  /** Its id, path or name, if it has one. */
  name?: string;
  what: string;
  /**
   * `shortened`: without its middle. `alt`: replaced by its `alt`. `omitted`: an attachment without its content.
   * `removed`: without a trace.
   */
  how: "shortened" | "alt" | "omitted" | "removed";
  /** About how many tokens were saved. */
  tokens: number;
}

/** A document within the limit. */
export interface PrunedPml {
  /** The given object if nothing had to be pruned. */
  document: PmlDocument;
  pruned: Pruned[];
  /** The number of tokens in its text. */
  tokens: number;
}

/**
 * Prunes a document to a number of tokens. A document within the limit is not changed; one above it is pruned to
 * `target` of the limit in one step. Add the next turns to the pruned document: its beginning then stays the same until
 * the limit is reached again, and prefix caches keep matching. The result is deterministic.
 *
 * Prunes from `low` to `high`. In each level: long contents and outputs are shortened, `alt` texts replace the nodes
 * that have one, contents of attachments and thinking are removed, and finally turns, the oldest first. Nodes of level
 * `always` and the last turns stay. A call and its outputs stay or are removed together. An attachment without its
 * content gets `omitted="true"`, the conversation the number of `omitted` turns.
 *
 * Errors: `PmlEditError` `over-limit` if the content that must stay exceeds the limit; `PmlTreeError` `bad-tree`;
 * `OptionsError`.
 *
 * @example
 * const { document: shorter, pruned } = prunePml(document, { maxTokens: 8_000, reserve: 1_000, keep: { "#plan":
 * "always", thinking: "low" } });
 */
export function prunePml(document: PmlDocument, options: PrunePmlOptions): PrunedPml {
  const settings = pruneOptionsOf(options);
  checkTree(document);
  return new Pruner(document, settings).prune();
}

type Settings = ReturnType<typeof pruneOptionsOf>;

/** A change of one node, with its elements before and after; `after` is absent where nothing of it is left. */
interface Change extends Omit<Pruned, "tokens"> {
  before?: OutElement;
  after?: OutElement;
}

/**
 * Finds the fewest steps after which the document is within the goal. The steps do not depend on counts, so that a
 * binary search finds their number with a few exact counts of the whole document.
 */
class Pruner {
  constructor(
    private readonly given: PmlDocument,
    private readonly settings: Settings,
  ) {}

  prune(): PrunedPml {
    const { limit, target } = this.settings;
    const before = this.count(documentElement(this.given));
    if (before <= limit) return { document: this.given, pruned: [], tokens: before };
    const goal = Math.floor(limit * target);
    const { effective } = this.after(Number.POSITIVE_INFINITY);
    let [fewest, most] = [0, effective.length];
    while (fewest < most) {
      const middle = (fewest + most) >> 1;
      if (this.tokensOf(this.after(effective[middle] ?? 0).cleaned()) <= goal) most = middle;
      else fewest = middle + 1;
    }
    const steps = this.after(effective[fewest] ?? Number.POSITIVE_INFINITY);
    const document = steps.cleaned();
    const tokens = this.tokensOf(document);
    if (tokens > limit) {
      const message = `What must stay has ${tokens} tokens, and ${limit} are left. Raise the limit of tokens, reserve fewer of them, or give less the level always.`;
      throw new PmlEditError("over-limit", message);
    }
    const pruned = steps.changes.map(({ before: was, after, ...change }) => ({
      ...change,
      tokens: (was ? this.count(was) : 0) - (after ? this.count(after) : 0),
    }));
    return { document, pruned, tokens };
  }

  private after(step: number): PruneSteps {
    return new PruneSteps(this.given, this.settings).take(step);
  }

  private tokensOf(document: PmlDocument): number {
    return this.count(documentElement(document));
  }

  private count(element: OutElement): number {
    const count: unknown = this.settings.countTokens(writeElement(element, { indent: this.settings.indent }));
    if (typeof count === "number" && count >= 0) return count;
    const given = count instanceof Promise ? "a promise" : `${typeof count === "number" ? count : typeof count}`;
    throw new OptionsError("bad-option", `\`countTokens\` must return a number of at least 0, not ${given}.`);
  }
}

/** A copy of a document on which the steps of pruning are taken. */
class PruneSteps {
  readonly changes: Change[] = [];
  /** The steps that changed something. */
  readonly effective: number[] = [];
  private readonly copy: PmlDocument;
  private readonly leaves: Leaf[];
  /** The leaves that are dropped with each turn. */
  private readonly inTurns = new Map<number, Leaf[]>();
  private readonly gone = new Set<Leaf>();
  /** The removed nodes, which are taken out of their lists at the end. */
  private readonly goneNodes = new Set<object>();
  /** Outputs whose attachments were removed, or that were removed with them. */
  private readonly withoutAttachments = new Set<Leaf>();

  constructor(
    given: PmlDocument,
    private readonly settings: Settings,
  ) {
    this.copy = copyOf(given);
    this.leaves = leavesIn(this.copy, settings.keep);
    for (const leaf of this.leaves) this.placeInTurn(leaf);
  }

  /** Takes the steps up to this one, which is the last. */
  take(last: number): this {
    let number = 0;
    for (const step of this.steps()) {
      const before = this.changes.length;
      step();
      if (this.changes.length > before) this.effective.push(number);
      if (number++ >= last) break;
    }
    return this;
  }

  /** The possible steps, in the order in which they are taken. */
  private *steps(): Generator<() => void> {
    for (const level of LEVELS.slice(0, -1)) {
      const leaves = this.leaves.filter((leaf) => leaf.level === level);
      for (const leaf of leaves) yield () => this.shorten(leaf);
      for (const leaf of leaves) yield () => this.standIn(leaf);
      for (const leaf of leaves) yield () => this.leaveOut(leaf);
      for (const turn of this.oldTurns()) yield () => this.drop(turn, level);
    }
  }

  private placeInTurn(leaf: Leaf): void {
    const { droppedWith: turn } = leaf;
    if (turn === undefined) return;
    const leaves = this.inTurns.get(turn);
    if (leaves) leaves.push(leaf);
    else this.inTurns.set(turn, [leaf]);
  }

  private isGone(leaf: Leaf): boolean {
    return this.gone.has(leaf) || (leaf.output !== undefined && this.withoutAttachments.has(leaf.output));
  }

  private oldTurns(): number[] {
    const count = this.copy.conversation?.turns.length ?? 0;
    return Array.from({ length: Math.max(0, count - this.settings.recentTurns) }, (_, i) => i);
  }

  private shorten(leaf: Leaf): void {
    const { node } = leaf;
    const characters = this.settings.shortenTo * 4;
    if (this.isGone(leaf)) return;
    if (node.type === "attachment" && node.content !== undefined && node.encoding === undefined) {
      const content = shortened(node.content, characters);
      if (content !== node.content) this.change(leaf, "shortened", () => Object.assign(node, { content }));
    } else if (isOutput(node) || node.type === "edit") {
      const text = shortened(node.text, characters);
      if (text !== node.text) this.change(leaf, "shortened", () => Object.assign(node, { text }));
    }
  }

  private standIn(leaf: Leaf): void {
    const { node } = leaf;
    if (this.isGone(leaf) || !("alt" in node) || node.alt === undefined) return;
    const { alt } = node;
    if (node.type === "attachment") {
      // The alt text stays, as the attribute.
      if (node.content !== undefined) this.change(leaf, "alt", () => omit(node));
    } else if (alt.length < node.text.length) {
      this.change(leaf, "alt", () => {
        node.text = alt;
        delete node.alt;
        if (!isOutput(node)) return;
        delete node.attachments;
        this.withoutAttachments.add(leaf);
      });
    }
  }

  private leaveOut(leaf: Leaf): void {
    const { node } = leaf;
    if (this.isGone(leaf)) return;
    if (node.type === "attachment" && node.content !== undefined) this.change(leaf, "omitted", () => omit(node));
    else if (node.type === "thinking" || node.type === "fact" || node.type === "summary") this.remove(leaf);
  }

  /** Drops the leaves of a turn up to a level. The `alt` of a message replaces it until the next level is dropped. */
  private drop(turn: number, level: Keep): void {
    const cheap = LEVELS.slice(0, LEVELS.indexOf(level) + 1);
    const turns = new Set([turn]);
    for (const leaf of this.inTurns.get(turn) ?? []) {
      if (leaf.output || this.isGone(leaf) || !cheap.includes(leaf.level)) continue;
      this.remove(leaf);
      if (leaf.turn !== undefined) turns.add(leaf.turn);
    }
    const next = LEVELS[LEVELS.indexOf(level) + 1] ?? level;
    if (next !== "always") for (const one of turns) this.standInForMessages(one, next);
  }

  /** Shows the `alt` of messages without any content left. */
  private standInForMessages(turn: number, level: Keep): void {
    const messages = this.copy.conversation?.turns[turn]?.messages ?? [];
    messages.forEach((message, i) => {
      if (isOutput(message) || message.alt === undefined || message.parts.some(this.isLeft)) return;
      const node: PmlText = { type: "text", text: message.alt };
      delete message.alt;
      message.parts.push(node);
      const path = jsonPointer("/conversation/turns", turn, "messages", i);
      const leaf: Leaf = { node, path, level, turn, droppedWith: turn };
      this.leaves.push(leaf);
      this.placeInTurn(leaf);
      const name = message.id === undefined ? {} : { name: message.id };
      this.changes.push({ path, ...name, what: message.type, how: "alt" });
    });
  }

  private remove(leaf: Leaf): void {
    this.change(leaf, "removed", () => {
      this.gone.add(leaf);
      this.goneNodes.add(leaf.node);
      this.withoutAttachments.add(leaf);
    });
  }

  private change(leaf: Leaf, how: Pruned["how"], change: () => void): void {
    const { node, path } = leaf;
    const before = elementOf(node);
    const name = nameOf(node);
    change();
    const after = how === "removed" ? {} : { after: elementOf(node) };
    this.changes.push({ path, ...(name !== undefined && { name }), what: node.type, how, before, ...after });
  }

  private readonly isLeft = (node: object): boolean => !this.goneNodes.has(node);

  /** The document without the removed nodes, and without messages and turns that are empty now. */
  cleaned(): PmlDocument {
    const { memory, conversation } = this.copy;
    const kept = { ...this.copy, ...(memory && { memory: memory.filter(this.isLeft) }) };
    if (!conversation) return kept;
    const removedFrom = new Set([...this.gone].map(({ turn }) => turn));
    const turns = conversation.turns.flatMap((turn, i): PmlTurn[] => {
      if (!removedFrom.has(i)) return [turn];
      const messages = turn.messages.filter(this.isLeft).flatMap((message): PmlTurn["messages"] => {
        if (isOutput(message)) return [message];
        const parts = message.parts.filter(this.isLeft);
        return parts.length > 0 ? [{ ...message, parts }] : [];
      });
      return messages.length > 0 ? [{ ...turn, messages }] : [];
    });
    const left = conversation.turns.length - turns.length;
    const omitted = (conversation.omitted ?? 0) + left;
    const { turns: _, ...about } = conversation;
    return { ...kept, conversation: { ...about, ...(omitted > 0 && { omitted }), turns } };
  }
}

/** The document with separate copies of all changed objects, because a tree can contain the same object twice. */
function copyOf(given: PmlDocument): PmlDocument {
  const { memory } = given;
  const document = eachPart(given, (part) =>
    part.type === "tool_output" && part.attachments
      ? { ...part, attachments: part.attachments.map((one) => ({ ...one })) }
      : { ...part },
  );
  return { ...document, ...(memory && { memory: memory.map((item) => ({ ...item })) }) };
}

function omit(node: { content?: string; encoding?: "base64"; omitted?: true }): void {
  delete node.content;
  delete node.encoding;
  node.omitted = true;
}

const elementOf = (node: Leaf["node"]): OutElement =>
  node.type === "fact" || node.type === "summary" ? memoryElement([node]) : nodeElement(node);

function nameOf(node: Leaf["node"]): string | undefined {
  if (node.type === "attachment") return node.path ?? node.name ?? node.url ?? node.id;
  if (node.type === "call") return node.name;
  if (node.type === "edit") return node.file;
  return "id" in node ? node.id : undefined;
}
