import type { ToolCall } from "../types.js";

type Call = Pick<ToolCall, "id" | "name">;

/**
 * The calls that wait for their results, for formats whose results may say only the tool's name: such a result answers
 * the first open call of its tool.
 */
export class OpenCalls {
  private open: { call: Call; hasId: boolean }[] = [];

  constructor(calls: readonly Call[] = []) {
    for (const call of calls) this.add(call);
  }

  /** `hasId`: whether the call's id was said, or made up. */
  add(call: Call, hasId = true): void {
    this.open.push({ call, hasId });
  }

  /** No call that was made till now gets a result any more that does not say its id. */
  close(): void {
    this.open = [];
  }

  /**
   * The id of the call that a result answers; undefined where there is none. A call whose id was made up takes the one
   * that its result says.
   */
  answer(name: string | undefined, said?: string): string | undefined {
    return this.take(name, said)?.id ?? said;
  }

  /** The call that a result answers, as `answer` finds it. `name`: undefined where the result does not say it either. */
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

/** Why a result has an id that was made up. */
export const noCall = (name: string, madeUp: string) =>
  `no call of "${name}" without a result stands before, so the id is unknown: "${madeUp}" stands in`;
