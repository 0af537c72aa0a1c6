import type { ToolDefinition } from "@toolingua/core";

/** The most characters of definitions that are kept. */
const KEPT = 20_000_000;

/** The most definitions of one name: a tool is compared with each of them. */
const OF_ONE_NAME = 8;

/**
 * Interns tool definitions: equal definitions become the same object in each request. The core caches its work on an
 * object (schema, escaping, the tool's part of the prompt), and clients send the same tools each time. The least
 * recently used definitions are dropped.
 */
export class SharedTools {
  readonly #byName = new Map<string, ToolDefinition[]>();
  /** The size of each definition, the most recently used one last. */
  readonly #sizes = new Map<ToolDefinition, number>();
  #size = 0;

  constructor(private readonly kept = KEPT) {}

  share(tools: readonly ToolDefinition[]): ToolDefinition[] {
    return tools.map((tool) => {
      const known = this.#byName.get(tool.name)?.find((one) => isSame(one, tool));
      if (!known) this.#add(tool);
      else this.#use(known);
      return known ?? tool;
    });
  }

  #use(tool: ToolDefinition): void {
    const size = this.#sizes.get(tool)!;
    this.#sizes.delete(tool);
    this.#sizes.set(tool, size);
  }

  #add(tool: ToolDefinition): void {
    const named = [...(this.#byName.get(tool.name) ?? []), tool];
    const size = JSON.stringify(tool).length;
    this.#byName.set(tool.name, named);
    this.#sizes.set(tool, size);
    this.#size += size;
    if (named.length > OF_ONE_NAME) this.#forget(named[0]!);
    for (const oldest of this.#sizes.keys()) {
      if (this.#size <= this.kept) break;
      this.#forget(oldest);
    }
  }

  #forget(tool: ToolDefinition): void {
    const others = this.#byName.get(tool.name)!.filter((one) => one !== tool);
    if (others.length > 0) this.#byName.set(tool.name, others);
    else this.#byName.delete(tool.name);
    this.#size -= this.#sizes.get(tool)!;
    this.#sizes.delete(tool);
  }
}

/** Whether two values are the same JSON, with keys in the same order. Takes a third of the time of `JSON.stringify`. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (keys.length !== others.length || Array.isArray(a) !== Array.isArray(b)) return false;
  return keys.every((key, i) => key === others[i] && isSame(a[key as keyof typeof a], b[key as keyof typeof b]));
}
