/** A tool by its server and its name there. */
export interface ServerTool {
  server: string;
  tool: string;
}

/**
 * A name of its own for each tool: its own where no other server has the same, else, or with `always`, `server__tool`.
 * Names that were given before (`given`, by `keyOf`) stay, so that a call of a running conversation still finds its tool.
 * Dots and the like are kept: `kom.memory.v1.search_memory` is a name that every protocol can write.
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
  for (const { server, tool } of tools) servers.set(tool, (servers.get(tool) ?? new Set()).add(server));
  for (const one of tools) {
    if (names.has(keyOf(one))) continue;
    const alone = servers.get(one.tool)!.size === 1;
    const wanted = prefix === "clash" && alone ? one.tool : prefixed(one);
    let name = taken.has(wanted) ? prefixed(one) : wanted;
    for (let number = 2; taken.has(name); number++) name = `${prefixed(one)}_${number}`;
    names.set(keyOf(one), name);
    taken.add(name);
  }
  return names;
}

export const keyOf = ({ server, tool }: ServerTool): string => JSON.stringify([server, tool]);

/** A server is named by people, who may put spaces in. */
const prefixed = ({ server, tool }: ServerTool) => `${server.replace(/[^\p{L}\p{N}_.-]+/gu, "_")}__${tool}`;
