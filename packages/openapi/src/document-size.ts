import { OpenApiDocumentError } from "./errors.js";

/** Values of a document, those that YAML's aliases repeat as often as they do; GitHub's has 0.7 million. */
export const MOST_VALUES = 5_000_000;
/** Objects and arrays in each other. */
export const MOST_LEVELS = 500;

/**
 * Checks that a document can be gone through. Objects that stand at several places (YAML's aliases) are looked at once, and
 * counted at each; those that contain themselves are left to whoever reads them.
 *
 * Errors: {@link OpenApiDocumentError} `limit`.
 */
export function checkSize(document: unknown): void {
  const sizes = new Map<object, number>();
  const stack: { value: object; parts: unknown[]; next: number; size: number }[] = [];
  const inside = new Set<object>();
  const open = (value: object) => {
    inside.add(value);
    stack.push({ value, parts: Object.values(value), next: 0, size: 1 });
    if (stack.length > MOST_LEVELS) throw tooLarge(`it is nested deeper than ${MOST_LEVELS} levels`);
  };
  if (isContainer(document)) open(document);
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    if (top.next < top.parts.length) {
      const part = top.parts[top.next++];
      const known = isContainer(part) ? sizes.get(part) : 1;
      if (known !== undefined) top.size += known;
      else if (!inside.has(part as object)) open(part as object);
    } else {
      stack.pop();
      inside.delete(top.value);
      sizes.set(top.value, top.size);
      const parent = stack.at(-1);
      if (parent) parent.size += top.size;
    }
    if (top.size > MOST_VALUES) throw tooLarge(`it has more than ${MOST_VALUES} values once its aliases are followed`);
  }
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

const tooLarge = (why: string) => new OpenApiDocumentError("limit", `The document is too large: ${why}.`);
