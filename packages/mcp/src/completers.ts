import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CompleteRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/** Completes a value. `others`: the known values of the other arguments. */
export type Completer = (
  value: string,
  others: Readonly<Record<string, string>>,
) => readonly string[] | Promise<readonly string[]>;

/** The protocol's limit for one answer. */
const MOST = 100;

/** The completers by prompt or resource, and argument. */
export class Completers {
  readonly #known = new Map<string, Completer>();

  add(kind: "ref/prompt" | "ref/resource", owner: string, argument: string, completer: Completer): void {
    this.#known.set(JSON.stringify([kind, owner, argument]), completer);
  }

  addTo(server: Server): void {
    server.setRequestHandler(CompleteRequestSchema, async ({ params: { ref, argument, context } }) => {
      const owner = ref.type === "ref/prompt" ? ref.name : ref.uri;
      const completer = this.#known.get(JSON.stringify([ref.type, owner, argument.name]));
      const values = (await completer?.(argument.value, context?.arguments ?? {})) ?? [];
      return { completion: { values: values.slice(0, MOST), total: values.length, hasMore: values.length > MOST } };
    });
  }
}
