import type { PmlCall, PmlToolOutput, PmlTurn } from "../tree.js";

/** Finds the call of each output, by id or by order, and gives ids to calls without one. */
export class CallIds {
  private readonly taken = new Set<string>();
  private readonly names = new Map<string, string>();
  /** The ids of calls that had none and have no output yet. */
  private readonly waiting: string[] = [];
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

  /** The id of a call, generated if it has none. */
  called({ id: given, name }: PmlCall): string {
    const id = given ?? this.made();
    this.names.set(id, name);
    this.waiting.push(id);
    return id;
  }

  /** The id and the name of the call that an output answers. */
  answered({ call, name: given }: PmlToolOutput): { id: string; name: string; isKnown: boolean } {
    const at = call === undefined ? 0 : this.waiting.indexOf(call);
    const [found] = at >= 0 ? this.waiting.splice(at, 1) : [];
    const id = call ?? found ?? this.made();
    const name = this.names.get(id);
    const isKnown = name !== undefined && (given === undefined || given === name);
    return { id, name: given ?? name ?? "", isKnown };
  }

  private made(): string {
    do this.count++;
    while (this.taken.has(`call_${this.count}`));
    return `call_${this.count}`;
  }
}
