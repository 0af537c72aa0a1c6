import { clip } from "../common/clip.js";
import { isObject } from "../common/plain-object.js";
import { join, printJson, stepsOf } from "./json.js";
import type { ValidationIssue } from "./validation-issue.js";

/** The number of entries shown of one object or array, and of characters of a valid value. */
const ENTRIES = 12;
const VALUE = 60;

/**
 * Prints the arguments as JSON, with each issue as a comment on its line; a missing key is a comment in its object.
 * Values without issues are printed on one line, and cut if long.
 *
 * @example
 * annotate({ n: "abc" }, [{ path: "/n", keyword: "type", message: 'expected integer, got string "abc"' }]);
 * // {
 * //   "n": "abc"  // ← expected integer, got string "abc"
 * // }
 */
export function annotate(value: unknown, issues: readonly ValidationIssue[]): string {
  const marks = new Map<string, string[]>();
  const parents = new Map<string, Set<string>>();
  for (const { path, message } of issues) {
    marks.set(path, [...(marks.get(path) ?? []), message]);
    let parent = "";
    for (const step of stepsOf(path)) {
      parents.set(parent, (parents.get(parent) ?? new Set()).add(step));
      parent = join(parent, step);
    }
  }
  const lines: string[] = [];

  const print = (item: unknown, path: string, indent: string, label: string, comma: string): void => {
    const mark = marks.get(path);
    const note = mark ? `  // ← ${mark.join("; ")}` : "";
    const below = parents.get(path);
    if (!below || (!isObject(item) && !Array.isArray(item))) {
      lines.push(`${indent}${label}${clip(printJson(item), VALUE)}${comma}${note}`);
      return;
    }
    const [open, close] = Array.isArray(item) ? "[]" : "{}";
    lines.push(`${indent}${label}${open}${note}`);
    const entries = Object.entries(item);
    const shown = entries.filter(([key], i) => i < ENTRIES || below.has(key));
    shown.forEach(([key, part], i) => {
      const keyLabel = Array.isArray(item) ? "" : `${clip(printJson(key), VALUE)}: `;
      print(part, join(path, key), `${indent}  `, keyLabel, i < shown.length - 1 ? "," : "");
    });
    if (shown.length < entries.length) lines.push(`${indent}  // … ${entries.length - shown.length} more`);
    for (const step of below) {
      if (Object.hasOwn(item, step)) continue;
      for (const message of marks.get(join(path, step)) ?? []) {
        lines.push(`${indent}  // ← ${clip(printJson(step), VALUE)} ${message}`);
      }
    }
    lines.push(`${indent}${close}${comma}`);
  };
  print(value, "", "", "", "");
  return lines.join("\n");
}
