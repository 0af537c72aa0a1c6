import type { ToolCall } from "../../types.js";

type Call = Pick<ToolCall, "id" | "name">;

/** Calls in order. Those before `next` are answered. */
interface Queue {
  calls: { call: Call; isOpen: boolean }[];
  next: number;
}

/** What a result knows of its call's id: nothing, the id, or (`false`) that the call came without one. */
type Id = string | undefined | false;

/**
 * The calls without a result so far, for formats whose results may have only the tool's name: such a result answers the
 * first open call of its tool.
 */
export class UnansweredCalls {
  /** By tool and id, or one of them, or neither: a history may have very many calls and results. */
  private queues = new Map<string, Queue>();

  constructor(calls: readonly Call[] = []) {
    for (const call of calls) this.add(call);
  }

  /** `hasId`: whether the call had an id, or got a generated one. */
  add(call: Call, hasId = true): void {
    const open = { call, isOpen: true };
    const ids: Id[] = hasId ? [undefined, call.id] : [undefined, call.id, false];
    for (const id of ids) {
      for (const name of [undefined, call.name]) {
        const key = keyOf(name, id);
        const queue = this.queues.get(key);
        if (queue) queue.calls.push(open);
        else this.queues.set(key, { calls: [open], next: 0 });
      }
    }
  }

  /** From now on, results without an id no longer answer the calls so far. */
  close(): void {
    this.queues = new Map();
  }

  /**
   * The id of the call that a result answers; undefined if there is none. A call with a generated id takes over the id
   * of its result.
   */
  answer(name: string | undefined, said?: string): string | undefined {
    return this.take(name, said)?.id ?? said;
  }

  /** The call that a result answers, as found by `answer`. `name`: undefined if the result does not have it. */
  take(name: string | undefined, said?: string): Call | undefined {
    const found = this.first(name, said) ?? (said === undefined ? undefined : this.first(name, false));
    if (found === undefined) return undefined;
    found.isOpen = false;
    if (said !== undefined) found.call.id = said;
    return found.call;
  }

  private first(name: string | undefined, id: Id): Queue["calls"][number] | undefined {
    const queue = this.queues.get(keyOf(name, id));
    while (queue?.calls[queue.next]?.isOpen === false) queue.next++;
    return queue?.calls[queue.next];
  }
}

const keyOf = (name: string | undefined, id: Id): string => JSON.stringify([name, id]);

/** The reason why a result has a generated id. */
export const noCall = (name: string, madeUp: string) =>
  `no call of "${name}" without a result comes before this result, so the id is unknown: generated "${madeUp}"`;
