/** The longest name that all providers accept. */
const LONGEST = 64;

/**
 * Makes unique tool names that all providers accept: letters, digits, `_` and `-`, at most 64 characters. A name that
 * is already taken gets a number.
 *
 * @example const name = namer(); name("repos/list-for-org"); // "repos_list-for-org"
 */
export function namer(): (wanted: string) => string {
  const taken = new Set<string>();
  /** The number at which to go on, by the name without it. */
  const next = new Map<string, number>();
  return (wanted) => {
    const base = wanted.replace(/[^A-Za-z0-9_-]+/g, "_").replace(/^[_-]+|_+$/g, "") || "unnamed";
    let name = base.slice(0, LONGEST);
    const first = name;
    for (let number = next.get(first) ?? 2; taken.has(name); number++) {
      const suffix = `_${number}`;
      name = `${base.slice(0, LONGEST - suffix.length)}${suffix}`;
      next.set(first, number + 1);
    }
    taken.add(name);
    return name;
  };
}
