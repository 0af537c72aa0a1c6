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
  readonly #calls = new Map<unknown, { name: string; text: string }>();

  /** Adds calls or, in a stream, their pieces. */
  push(pieces: readonly unknown[]): void {
    for (const [i, piece] of pieces.entries()) {
      if (!isObject(piece) || !isObject(piece.function)) continue;
      const key = piece.index ?? i;
      const call = this.#calls.get(key) ?? { name: "", text: "" };
      const { name, arguments: args } = piece.function;
      // Most servers send the name once; a repeated one is not continued.
      if (typeof name === "string" && call.name === "") call.name = name;
      if (typeof args === "string") call.text += args;
      else if (isObject(args)) call.text = JSON.stringify(args);
      this.#calls.set(key, call);
    }
  }

  /** The text of the calls, which are then forgotten; empty if there are none. */
  take(): string {
    const texts = [...this.#calls.values()].map(({ name, text }) => {
      if (text.trim() === "") return callAsText(name, {});
      // As it was written: a key with two values stays one.
      return callAsText(name, text) + (jsonObject(text) === undefined ? "" : CLOSE);
    });
    this.#calls.clear();
    return texts.join("\n");
  }
}
