import { isDeepStrictEqual } from "node:util";
import { isObject } from "@toolingua/core/adapters";

// Changes a client's settings, and undoes the changes without touching what the client wrote meanwhile.

/** Sets the value at a path of keys, or adds one to the list there. */
export type Change = { path: readonly string[] } & ({ value: unknown } | { add: unknown });

/**
 * A change that was made. One that set a value has the previous one; `before` is absent if there was none. Objects and
 * lists that were created on the way are changes of their own.
 */
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
 * // { settings: { theme: "dark", env: { A: "1" } },
 * //   made: [{ path: ["env"], value: {} }, { path: ["env", "A"], value: "1" }] }
 */
export function change(given: Settings, changes: readonly Change[]): { settings: Settings; made: Made[] } {
  const settings = structuredClone(given);
  const made: Made[] = [];
  const set = (parent: Settings, path: readonly string[], value: unknown) => {
    const key = path.at(-1) ?? "";
    made.push({ path, value, ...(Object.hasOwn(parent, key) && { before: { value: parent[key] } }) });
    parent[key] = structuredClone(value);
  };
  for (const one of changes) {
    let parent = settings;
    for (const [i, step] of one.path.slice(0, -1).entries()) {
      const path = one.path.slice(0, i + 1);
      if (isMissing(parent[step])) set(parent, path, {});
      const next = parent[step];
      if (!isObject(next)) throw new SettingsShapeError(`\`${path.join(".")}\` is not an object`);
      parent = next;
    }
    if ("value" in one) {
      set(parent, one.path, one.value);
      continue;
    }
    const key = one.path.at(-1) ?? "";
    if (isMissing(parent[key])) set(parent, one.path, []);
    const list = parent[key];
    if (!Array.isArray(list)) throw new SettingsShapeError(`\`${one.path.join(".")}\` is not a list`);
    list.push(one.add);
    made.push(one);
  }
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
    const parent = parentOf(settings, one.path);
    const key = one.path.at(-1) ?? "";
    if (!parent) continue;
    if ("value" in one) {
      if (!isDeepStrictEqual(parent[key], one.value)) continue;
      if (one.before) parent[key] = one.before.value;
      else delete parent[key];
    } else {
      const list = parent[key];
      const at = Array.isArray(list) ? list.findIndex((item) => isDeepStrictEqual(item, one.add)) : -1;
      if (Array.isArray(list) && at >= 0) list.splice(at, 1);
    }
  }
  return settings;
}

const isMissing = (value: unknown) => value === undefined || value === null;

/** The object that contains the last key of a path; `undefined` if there is none. */
function parentOf(settings: Settings, path: readonly string[]): Settings | undefined {
  let parent: unknown = settings;
  for (const step of path.slice(0, -1)) parent = isObject(parent) ? parent[step] : undefined;
  return isObject(parent) ? parent : undefined;
}
