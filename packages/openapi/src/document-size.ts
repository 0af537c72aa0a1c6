import { OpenApiDocumentError } from "./errors.js";

/** The most values in a document, counting each expansion of a YAML alias; GitHub's has 0.7 million. */
const MAX_VALUES = 5_000_000;
/** The deepest nesting of objects and arrays. */
const MAX_LEVELS = 500;

/**
 * Checks that a document is small enough to be traversed. Objects that occur in several places (YAML aliases) are
 * visited once, and counted at each place. Cyclic objects are left to their readers.
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
    if (stack.length > MAX_LEVELS) throw tooLarge(`it is nested deeper than ${MAX_LEVELS} levels`);
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
    if (top.size > MAX_VALUES) throw tooLarge(`it has more than ${MAX_VALUES} values once its aliases are followed`);
  }
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

const tooLarge = (why: string) => new OpenApiDocumentError("limit", `The document is too large: ${why}.`);
