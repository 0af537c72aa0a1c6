import { isDeepStrictEqual } from "node:util";
import { isObject } from "@toolingua/core/adapters";

// Changes a client's settings, and undoes the changes without touching what the client wrote meanwhile.

/** Sets the value at a path of keys, or adds one to the list there. */
export type Change = { path: readonly string[] } & ({ value: unknown } | { add: unknown });

/** A change that was made, with the previous value. `before` is absent if there was none. */
export type Made = Change & { before?: { value: unknown } };

type Settings = Record<string, unknown>;

/** A setting that is not the object or list that a change needs. */
export class SettingsShapeError extends Error {}

/**
 * Settings with these changes, and the previous values. Does not modify `given`.
 *
 * Errors: {@link SettingsShapeError} if a value on the path has another type.
 *
 * @example
 * change({ theme: "dark" }, [{ path: ["env", "A"], value: "1" }]);
 * // { settings: { theme: "dark", env: { A: "1" } }, made: [{ path: ["env", "A"], value: "1" }] }
 */
export function change(given: Settings, changes: readonly Change[]): { settings: Settings; made: Made[] } {
  const settings = structuredClone(given);
  const made = changes.map((one): Made => {
    const { parent, key } = placeOf(settings, one.path);
    const before = Object.hasOwn(parent, key) ? { before: { value: structuredClone(parent[key]) } } : {};
    if ("value" in one) parent[key] = one.value;
    else {
      const list = parent[key] ?? [];
      if (!Array.isArray(list)) throw new SettingsShapeError(`\`${one.path.join(".")}\` is not a list`);
      parent[key] = [...list, one.add];
    }
    return { ...one, ...before };
  });
  return { settings, made };
}

/**
 * Settings without these changes: undoes each one whose value is still there, and leaves values that were changed
 * since.
 *
 * @example takeBack({ a: 2, b: 3 }, [{ path: ["a"], value: 2, before: { value: 1 } }]); // { a: 1, b: 3 }
 */
export function takeBack(given: Settings, made: readonly Made[]): Settings {
  const settings = structuredClone(given);
  for (const one of made.toReversed()) {
    const parents = parentsOf(settings, one.path);
    const parent = parents.at(-1);
    const key = one.path.at(-1) ?? "";
    if (!parent || parents.length < one.path.length) continue;
    if ("value" in one) {
      if (!isDeepStrictEqual(parent[key], one.value)) continue;
      if (one.before) parent[key] = one.before.value;
      else delete parent[key];
    } else {
      const list = parent[key];
      if (!Array.isArray(list)) continue;
      const at = list.findIndex((item) => isDeepStrictEqual(item, one.add));
      if (at >= 0) list.splice(at, 1);
      if (list.length === 0 && !one.before) delete parent[key];
    }
    prune(parents, one);
  }
  return settings;
}

/** The object that contains the last key of a path. Creates the objects on the way. */
function placeOf(settings: Settings, path: readonly string[]): { parent: Settings; key: string } {
  let parent = settings;
  for (const [i, step] of path.slice(0, -1).entries()) {
    parent[step] ??= {};
    const next = parent[step];
    if (!isObject(next)) throw new SettingsShapeError(`\`${path.slice(0, i + 1).join(".")}\` is not an object`);
    parent = next;
  }
  return { parent, key: path.at(-1) ?? "" };
}

/** The existing objects on the way to a path's last key. */
function parentsOf(settings: Settings, path: readonly string[]): Settings[] {
  const parents = [settings];
  for (const step of path.slice(0, -1)) {
    const next = parents.at(-1)?.[step];
    if (!isObject(next)) break;
    parents.push(next);
  }
  return parents;
}

/** Removes objects that existed only for the change. */
function prune(parents: readonly Settings[], { path, before }: Made): void {
  if (before) return;
  for (let i = parents.length - 1; i > 0; i--) {
    const step = path[i - 1] ?? "";
    if (Object.keys(parents[i] ?? {}).length > 0) return;
    delete parents[i - 1]?.[step];
  }
}
