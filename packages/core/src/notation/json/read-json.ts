import type { RepairCode } from "../../types.js";
import { Input } from "../input.js";
import { keepsDigits } from "../numbers.js";
import { ValueBuilder } from "../value-sink.js";
import { MAX_DEPTH } from "./brackets.js";
import { JsonReader } from "./json-reader.js";
import { wholeJson } from "./whole-json.js";

/** Callbacks for notable values. */
interface JsonNotes {
  /** Called for a number that JavaScript cannot represent; its value is the string of its digits. */
  unkept?(digits: string): void;
  /** Called for a key that occurs twice with different values. */
  repeated?(key: string): void;
  /** Called for each repair. */
  repaired?(code: RepairCode): void;
}

/**
 * The value of a complete text of JSON or nearly JSON; undefined if it is neither, or has several readings. A number
 * that JavaScript cannot represent becomes the string of its digits.
 */
export function readJsonText(text: string, notes?: JsonNotes): unknown {
  const trimmed = text.trim();
  const read = /^[[{]/.test(trimmed) ? wholeJson(trimmed, 0, MAX_DEPTH) : undefined;
  return read?.whole && read.end === trimmed.length ? read.whole.value : readLoosely(trimmed, notes);
}

/** The value of strict JSON; undefined for any other text. */
export function readStrictJson(text: string, notes?: JsonNotes): unknown {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return readJsonText(text, notes);
}

function readLoosely(text: string, notes?: JsonNotes): unknown {
  const input = new Input();
  input.push(text);
  input.final = true;
  const builder = new ValueBuilder();
  let isDoubtful = false;
  const rejected = () => {
    isDoubtful = true;
  };
  const repaired: RepairCode[] = [];
  const status = new JsonReader(builder, { rejected, repaired: (code) => repaired.push(code) }).read(input);
  if (status !== "done" || isDoubtful || input.skipSpace()) return undefined;
  const { repeatedKey, unkept, value, source } = builder;
  if (repeatedKey !== undefined) notes?.repeated?.(repeatedKey);
  for (const digits of unkept ?? []) notes?.unkept?.(digits);
  for (const code of repaired) notes?.repaired?.(code);
  if (typeof value === "number" && source !== undefined && !keepsDigits(value, source)) {
    notes?.unkept?.(source);
    return source;
  }
  return repeatedKey === undefined ? value : undefined;
}
