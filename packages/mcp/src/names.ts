import { writableName } from "@toolingua/core";

/** A tool by its server and its name there. */
interface ServerTool {
  server: string;
  tool: string;
}

/**
 * Gives each tool a unique name: its own if no other server has the same, else, or with `always`, `server__tool`. Names
 * that were given before (`given`, by `keyOf`) stay, so that a call of a running conversation still finds its tool.
 * Characters that some protocol cannot write (a space, `<`, an emoji) become `_`. Dots are kept, as in
 * `kom.memory.v1.search_memory`.
 *
 * @example
 * toolNames([{ server: "a", tool: "read" }, { server: "b", tool: "read" }], "clash"); // a__read, b__read
 */
export function toolNames(
  tools: readonly ServerTool[],
  prefix: "clash" | "always",
  given: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const key of tools.map(keyOf)) {
    const name = given.get(key);
    if (name === undefined) continue;
    names.set(key, name);
    taken.add(name);
  }
  const servers = new Map<string, Set<string>>();
  for (const { server, tool } of tools) {
    const name = writableName(tool);
    servers.set(name, (servers.get(name) ?? new Set()).add(server));
  }
  // A name that needs no change takes precedence over one that becomes equal to it.
  const isKept = ({ tool }: ServerTool) => writableName(tool) === tool;
  for (const one of [...tools.filter(isKept), ...tools.filter((tool) => !isKept(tool))]) {
    if (names.has(keyOf(one))) continue;
    const own = writableName(one.tool);
    const wanted = prefix === "clash" && servers.get(own)!.size === 1 ? own : prefixed(one);
    let name = taken.has(wanted) ? prefixed(one) : wanted;
    for (let number = 2; taken.has(name); number++) name = `${prefixed(one)}_${number}`;
    names.set(keyOf(one), name);
    taken.add(name);
  }
  return names;
}

export const keyOf = ({ server, tool }: ServerTool): string => JSON.stringify([server, tool]);

const prefixed = ({ server, tool }: ServerTool) => writableName(`${server}__${tool}`);
