import type { PmlCall, PmlToolOutput, PmlTurn } from "../tree.js";

/** A call and its outputs, which belong together; an output without its call is a unit of its own. */
export interface CallUnit {
  readonly id: string;
}

/** Finds the call of each output, by id or by order, and generates missing ids of calls. */
export class CallIds {
  private readonly taken = new Set<string>();
  private readonly names = new Map<string, string>();
  /** The calls of each id: those without an output so far, and the last one. */
  private readonly waiting = new Map<string, Queue>();
  private readonly last = new Map<string, CallUnit>();
  /** All calls in order. */
  private readonly calls = new Queue();
  private readonly answeredCalls = new Set<CallUnit>();
  private count = 0;

  /** Reserves the ids in the document: generated ids must differ from them. */
  reserve(turns: readonly PmlTurn[]): void {
    for (const { messages } of turns) {
      for (const node of messages) {
        for (const part of node.type === "tool_output" ? [node] : node.parts) {
          if (part.type === "call" && part.id !== undefined) this.taken.add(part.id);
          if (part.type === "tool_output" && part.call !== undefined) this.taken.add(part.call);
        }
      }
    }
  }

  /** The call with its id, which is generated if missing. */
  called({ id: given, name }: PmlCall): CallUnit {
    const unit = { id: given ?? this.made() };
    const { id } = unit;
    const waiting = this.waiting.get(id) ?? new Queue();
    this.waiting.set(id, waiting);
    for (const queue of [waiting, this.calls]) queue.add(unit);
    this.names.set(id, name);
    this.last.set(id, unit);
    return unit;
  }

  /** The call of an output, with its id and its name. */
  answered({ call, name: given }: PmlToolOutput): { id: string; name: string; isKnown: boolean; unit: CallUnit } {
    const queue = call === undefined ? this.calls : this.waiting.get(call);
    const waiting = queue?.first(this.answeredCalls);
    const unit = waiting ?? (call === undefined ? undefined : this.last.get(call)) ?? { id: call ?? this.made() };
    this.answeredCalls.add(unit);
    const { id } = unit;
    const name = this.names.get(id);
    const isKnown = name !== undefined && (given === undefined || given === name);
    return { id, name: given ?? name ?? "", isKnown, unit };
  }

  private made(): string {
    do this.count++;
    while (this.taken.has(`call_${this.count}`));
    return `call_${this.count}`;
  }
}

/** Calls in order; those with an output are skipped once. */
class Queue {
  private readonly units: CallUnit[] = [];
  private at = 0;

  add(unit: CallUnit): void {
    this.units.push(unit);
  }

  first(answered: ReadonlySet<CallUnit>): CallUnit | undefined {
    for (; this.at < this.units.length; this.at++) {
      const unit = this.units[this.at];
      if (unit && !answered.has(unit)) return unit;
    }
    return undefined;
  }
}
