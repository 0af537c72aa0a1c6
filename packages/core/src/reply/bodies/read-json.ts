import { ValueBuilder } from "../arguments/value-sink.js";
import { Input } from "../input.js";
import { MAX_DEPTH } from "./brackets.js";
import { JsonReader } from "./json-reader.js";

/** The value of a complete text of JSON or nearly JSON; undefined when it is not, or can be read in several ways. */
export function readJsonText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeper(value, MAX_DEPTH) ? undefined : value;
  } catch {
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
}

/** Whether objects and arrays are nested deeper than the limit that holds for every value. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const part of value) if (isDeeper(part, levels - 1)) return true;
    return false;
  }
  for (const key of Object.keys(value)) if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}
