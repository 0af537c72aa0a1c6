import { Input } from "./input.js";
import { JsonReader } from "./json-reader.js";
import { ValueBuilder } from "./value-sink.js";

/** The value of a complete text of JSON or nearly JSON; undefined when it is not. */
export function readJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const input = new Input();
    input.push(text);
    input.final = true;
    const builder = new ValueBuilder();
    const status = new JsonReader(builder).read(input);
    return status === "done" && !input.skipSpace() ? builder.value : undefined;
  }
}
