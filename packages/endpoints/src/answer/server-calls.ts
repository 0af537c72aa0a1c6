import { callAsText, isObject, jsonObject } from "@toolingua/core/adapters";

/** The end of a call as text. */
const CLOSE = "}\n</tool_call>";

/**
 * The calls that a server parsed out of the reply, although the request had no tools, as some versions of Ollama and vLLM do.
 * They become text again, to be read and checked like the calls that the model writes.
 *
 * @example
 * const calls = new ServerCalls();
 * calls.push([{ index: 0, function: { name: "add", arguments: '{"a": 2}' } }]);
 * calls.take(); // '<tool_call>\n{"name": "add", "arguments": {"a": 2}}\n</tool_call>'
 */
export class ServerCalls {
  readonly #calls: Call[] = [];
  /** The call that the next piece with this index continues. */
  readonly #open = new Map<unknown, Call>();

  /** Adds calls or, in a stream, their pieces. */
  push(pieces: readonly unknown[]): void {
    for (const [i, piece] of pieces.entries()) {
      if (!isObject(piece) || !isObject(piece.function)) continue;
      const { name, arguments: args } = piece.function;
      const call = this.#callOf(piece.index ?? i, textOf(piece.id), textOf(name), isObject(args));
      if (typeof args === "string") add(call, args);
      else if (isObject(args)) call.text = JSON.stringify(args);
    }
  }

  /** The call that a piece continues, or a new one. Some servers give every call the same index, or none. */
  #callOf(index: unknown, id: string, name: string, isWhole: boolean): Call {
    const open = this.#open.get(index);
    const isOther =
      open !== undefined &&
      ((id !== "" && open.id !== "" && id !== open.id) ||
        (name !== "" && (isWhole || name !== open.name || isComplete(open))));
    if (open && !isOther) return open;
    const call: Call = { id, name, text: "", levels: 0, inString: false, escaped: false };
    this.#open.set(index, call);
    this.#calls.push(call);
    return call;
  }

  /**
   * The text of the calls, which are then forgotten; empty if there are none. Half a call comes last, because it has no end.
   */
  take(): string {
    const isWhole = ({ text }: Call) => text.trim() === "" || jsonObject(text) !== undefined;
    const calls = this.#calls.splice(0);
    this.#open.clear();
    return [...calls.filter(isWhole), ...calls.filter((call) => !isWhole(call))].map(written).join("\n");
  }
}

interface Call {
  id: string;
  name: string;
  /** The arguments, in JSON. */
  text: string;
  /**
   * How many objects and lists are open at the end of the text, and whether it ends in a string or after a backslash in one.
   */
  levels: number;
  inString: boolean;
  escaped: boolean;
}

/** Adds a piece of the arguments. Follows their nesting, since parsing them again with each piece would take quadratic time. */
function add(call: Call, piece: string): void {
  call.text += piece;
  for (const char of piece) {
    if (call.inString) {
      if (char === '"' && !call.escaped) call.inString = false;
      call.escaped = char === "\\" && !call.escaped;
    } else if (char === '"') call.inString = true;
    else if (char === "{" || char === "[") call.levels++;
    else if (char === "}" || char === "]") call.levels--;
  }
}

/** Whether the arguments so far are a JSON object. */
const isComplete = ({ text, levels, inString }: Call): boolean =>
  levels === 0 && !inString && jsonObject(text) !== undefined;

/** As it was written: a key with two values stays one. */
function written({ name, text }: Call): string {
  if (text.trim() === "") return callAsText(name, {});
  return callAsText(name, text) + (jsonObject(text) === undefined ? "" : CLOSE);
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
