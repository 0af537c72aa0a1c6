import type { ToolCall } from "../../types.js";

type Call = Pick<ToolCall, "id" | "name">;

/**
 * The calls without a result so far, for formats whose results may have only the tool's name: such a result answers the
 * first open call of its tool.
 */
export class OpenCalls {
  private open: { call: Call; hasId: boolean }[] = [];

  constructor(calls: readonly Call[] = []) {
    for (const call of calls) this.add(call);
  }

  /** `hasId`: whether the call had an id, or got a generated one. */
  add(call: Call, hasId = true): void {
    this.open.push({ call, hasId });
  }

  /** From now on, results without an id no longer answer the calls so far. */
  close(): void {
    this.open = [];
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
    const ofTool = this.open.filter(({ call }) => name === undefined || call.name === name);
    const found =
      said === undefined
        ? ofTool[0]
        : (ofTool.find(({ call }) => call.id === said) ?? ofTool.find(({ hasId }) => !hasId));
    if (found === undefined) return undefined;
    this.open.splice(this.open.indexOf(found), 1);
    if (said !== undefined) found.call.id = said;
    return found.call;
  }
}

/** The reason why a result has a generated id. */
export const noCall = (name: string, madeUp: string) =>
  `no call of "${name}" without a result comes before this result, so the id is unknown: generated "${madeUp}"`;
