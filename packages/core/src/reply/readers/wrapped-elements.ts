import { isObject } from "../../common/plain-object.js";
import { type Element, type ElementReading, readElements } from "../../notation/markup/nested.js";
import type { Plan } from "../../schema/plan.js";

/** One element and nothing else. */
const ELEMENT = /^\s*<([\w:.-]{1,64})(?:\s[^<>]{0,256})?>([\s\S]*)<\/\1>\s*$/;

/** A YAML key and its colon. */
const LINE = /^\s*([\p{L}_][\p{L}\p{N}_.-]{0,63})\s*:\s/u;

/** The maximum depth of nested wrappers. */
const MAX_WRAPPERS = 4;

/** The call that contains the element. */
interface WrapperPlace {
  /** Whether the element has a usual name of the arguments' object. */
  wraps: boolean;
  plan: Plan;
  /** Whether an argument has this name. */
  knows(name: string): boolean;
  reading: ElementReading;
}

/**
 * The arguments inside an element that is not an argument, as elements or as JSON, also in nested such elements.
 * Undefined: it contains none, and is an argument that the schema lacks. `"partly"`: only part of its contents is.
 *
 * @example argumentsWithin({ raw: "<city>Rome</city>" }, place); // { city: "Rome" }, where `city` is an argument
 */
export function argumentsWithin(
  { raw, attributes }: Element,
  { wraps, plan, knows, reading }: WrapperPlace,
): Record<string, unknown> | "partly" | undefined {
  if (!wraps && !/^\s*[<{]/.test(raw)) return undefined;
  const value = readElements([{ raw: unwrap(raw, knows), attributes }], plan, reading);
  if (!isObject(value)) return undefined;
  const names = Object.keys(value);
  const known = names.filter(knows).length;
  if (wraps || (known > 0 && known === names.length)) return value;
  return known === 0 ? undefined : "partly";
}

/** Whether a text begins with an argument in YAML. */
export function holdsLine(raw: string, knows: (name: string) => boolean): boolean {
  const [, key] = LINE.exec(raw) ?? [];
  return key !== undefined && knows(key);
}

function unwrap(raw: string, knows: (name: string) => boolean): string {
  let inside = raw;
  for (let i = 0; i < MAX_WRAPPERS; i++) {
    const [, name, content = ""] = ELEMENT.exec(inside) ?? [];
    if (name === undefined || knows(name)) break;
    inside = content;
  }
  return inside;
}
