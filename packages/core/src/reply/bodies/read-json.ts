import { ValueBuilder } from "../arguments/value-sink.js";
import { Input } from "../input.js";
import { MAX_DEPTH } from "./brackets.js";
import { JsonReader } from "./json-reader.js";

/** The value of a complete text of JSON or nearly JSON; undefined when it is not, or can be read in several ways. */
export function readJsonText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isKept(value, MAX_DEPTH) ? value : readLoosely(text);
  } catch {
    return readLoosely(text);
  }
}

function readLoosely(text: string): unknown {
  const input = new Input();
  input.push(text);
  input.final = true;
  const builder = new ValueBuilder();
  let isDoubtful = false;
  const rejected = () => {
    isDoubtful = true;
  };
  const status = new JsonReader(builder, { rejected }).read(input);
  return status === "done" && !isDoubtful && !input.skipSpace() ? builder.value : undefined;
}

/**
 * Whether the value is within the limit of nesting, and JSON's writers keep each number of it: they write `-0` as `0`, and
 * what is too large for a number as `null`.
 */
function isKept(value: unknown, levels: number): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (const part of value) if (!isKept(part, levels - 1)) return false;
    return true;
  }
  for (const key of Object.keys(value)) if (!isKept((value as Record<string, unknown>)[key], levels - 1)) return false;
  return true;
}
