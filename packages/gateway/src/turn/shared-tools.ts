import type { ToolDefinition } from "@toolingua/core";

/** How many characters of definitions are kept. */
const KEPT = 20_000_000;

/**
 * Tools by their content: the same definition is the same object in each request. The core prepares an object once, its
 * schema, its escaping and its part of the prompt, and clients send the same tools each time. Those that were not used for
 * longest are forgotten.
 */
export class SharedTools {
  readonly #known = new Map<string, ToolDefinition>();
  #size = 0;

  constructor(private readonly kept = KEPT) {}

  share(tools: readonly ToolDefinition[]): ToolDefinition[] {
    return tools.map((tool) => {
      const key = JSON.stringify(tool);
      const shared = this.#known.get(key) ?? tool;
      if (!this.#known.delete(key)) this.#size += key.length;
      this.#known.set(key, shared);
      for (const oldest of this.#known.keys()) {
        if (this.#size <= this.kept) break;
        this.#known.delete(oldest);
        this.#size -= oldest.length;
      }
      return shared;
    });
  }
}
