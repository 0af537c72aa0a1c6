import type { Input } from "../input.js";
import type { ValueSink, WholeValue } from "../value-sink.js";
import { MAX_DEPTH } from "./brackets.js";
import { endsWhole, type StringPlace } from "./string-end.js";
import { wholeJson } from "./whole-json.js";

/** Passes on a whole object or array of strict JSON, if all of it was received and the sink takes it. */
export function takeWhole(input: Input, kind: "object" | "array", sink: ValueSink, place: StringPlace): boolean {
  const { text, pos } = input;
  if (!sink.whole || place.options.quote !== undefined || place.options.python) return false;
  if (!input.mayReadWhole(pos)) return false;
  let end = pos;
  // As with its parts, the first bracket is read before the value begins.
  input.pos++;
  const read = (): WholeValue | undefined => {
    const found = wholeJson(text, pos, MAX_DEPTH - place.stack.length);
    end = found.end;
    return found.whole && endsWhole(input, end, place) ? found.whole : undefined;
  };
  const isTaken = sink.whole(read, kind);
  input.pos = isTaken ? end : pos;
  if (!isTaken && end > pos) input.notReadWhole(pos, end);
  return isTaken;
}
