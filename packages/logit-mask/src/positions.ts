import type { ByteState, Rule } from "./byte-states.js";
import { Closure } from "./closure.js";
import { type Continuation, Continuations, keyOf } from "./continuations.js";
import { checkLeftRecursion } from "./left-recursion.js";

/** Where a reply can be in a grammar: all the states that what it has so far leads to. Equal positions are one object. */
export class Position {
  /** The position after a byte, by the byte's class; null where the grammar admits none. Filled as replies get there. */
  readonly next: (Position | null | undefined)[];
  /** The tokens that can come here, once someone asked: see `TokenMasks`. */
  mask: Uint32Array | undefined;
  /** Whether the grammar keeps it, with the positions after it: see `Positions.trim`. */
  isKept = true;

  constructor(
    /** States that read a byte, each with what follows its rule. */
    readonly states: ReadonlyMap<ByteState, Continuation>,
    /** Whether the reply can end here. */
    readonly canEnd: boolean,
    classes: number,
  ) {
    this.next = new Array(classes).fill(undefined);
  }
}

/** How many positions and continuations a grammar keeps at most, with what finds them, when a walk of a mask begins. */
export const MAX_POSITIONS = 20_000;

/**
 * The positions of a grammar, each made when a reply or a token first leads to it: the grammar's pushdown automaton,
 * determinized lazily. What is forgotten is made again when it is needed.
 */
export class Positions {
  /** The position of an empty reply. */
  start: Position;
  /** Of each byte its class: bytes that no state of the grammar tells apart. */
  readonly classOf: Uint8Array;
  private readonly byteOfClass: readonly number[];
  private readonly continuations = new Continuations();
  private readonly byKernel = new Map<string, Position | null>();
  private readonly byStates = new Map<string, Position>();
  private readonly beginning: () => Position;

  /** Errors: {@link LogitMaskError} `grammar` for a rule that begins with itself. */
  constructor(root: Rule) {
    const states = statesOf(root);
    this.classOf = byteClasses(states);
    this.byteOfClass = [...new Set(this.classOf)].map((found) => this.classOf.indexOf(found));
    const rules = new Set([root]);
    for (const { calls } of states) for (const { rule } of calls) rules.add(rule);
    checkLeftRecursion(rules);
    this.beginning = () => {
      const end = this.continuations.of(true, new Map());
      return this.closed(new Map([[root.start, end]])) ?? new Position(new Map(), false, 0);
    };
    this.start = this.beginning();
  }

  /** The number of positions and continuations that are kept. */
  get size(): number {
    return this.byStates.size + this.byKernel.size + this.continuations.size;
  }

  /**
   * Forgets all positions if there are too many, with their masks; true if so. Those that replies are at stay valid, but
   * lead to no other: each would keep all that its reply gets to.
   */
  trim(): boolean {
    if (this.size <= MAX_POSITIONS) return false;
    for (const position of this.byStates.values()) {
      position.isKept = false;
      position.mask = undefined;
      position.next.fill(undefined);
    }
    this.continuations.clear();
    this.byKernel.clear();
    this.byStates.clear();
    this.start = this.beginning();
    return true;
  }

  /** The position after a byte of that class, or null if the grammar admits none. */
  after(position: Position, byteClass: number): Position | null {
    const known = position.next[byteClass];
    if (known !== undefined) return known;
    const byte = this.byteOfClass[byteClass] ?? 0;
    const kernel = new Map<ByteState, Continuation>();
    for (const [state, outer] of position.states) {
      for (const { first, last, to } of state.bytes) {
        if (first <= byte && byte <= last) this.continuations.addTo(kernel, to, outer);
      }
    }
    const next = kernel.size === 0 ? null : this.closed(kernel);
    if (position.isKept) position.next[byteClass] = next;
    return next;
  }

  /** The position of these states and of all that follow them without a byte; null if the reply can only fail there. */
  private closed(kernel: ReadonlyMap<ByteState, Continuation>): Position | null {
    const kernelKey = keyOf(kernel);
    let position = this.byKernel.get(kernelKey);
    if (position === undefined) {
      const { states, canEnd } = new Closure(this.continuations).of(kernel);
      const key = `${canEnd ? "end " : ""}${keyOf(states)}`;
      position = this.byStates.get(key) ?? null;
      if (!position && (canEnd || states.size > 0)) {
        position = new Position(states, canEnd, this.byteOfClass.length);
        this.byStates.set(key, position);
      }
      this.byKernel.set(kernelKey, position);
    }
    return position;
  }
}

function statesOf(root: Rule): Set<ByteState> {
  const states = new Set([root.start]);
  // The set grows during the loop.
  for (const { bytes, calls, skips } of states) {
    for (const { to } of bytes) states.add(to);
    for (const { rule, to } of calls) states.add(rule.start).add(to);
    for (const to of skips) states.add(to);
  }
  return states;
}

/** Numbers the classes of bytes: two bytes are in one if every range of the grammar has both or neither. */
function byteClasses(states: Iterable<ByteState>): Uint8Array {
  const begins = new Uint8Array(257);
  for (const { bytes } of states) {
    for (const { first, last } of bytes) {
      begins[first] = 1;
      begins[last + 1] = 1;
    }
  }
  const classes = new Uint8Array(256);
  let current = 0;
  for (let byte = 1; byte < 256; byte++) {
    if (begins[byte]) current++;
    classes[byte] = current;
  }
  return classes;
}
