import { protocols } from "../protocols/index.js";

/**
 * A call as text in Hermes' format, which every parser reads: a server may parse calls from a reply although it was given
 * no tools. `args`: the arguments; a text if they are cut off or not an object. Such a call stays incomplete, so that no
 * parser reads it as a call that may run.
 *
 * Errors: none.
 *
 * @example callAsText("add", { a: 2 }); // '<tool_call>\n{"name": "add", "arguments": {"a": 2}}\n</tool_call>'
 * @example callAsText("add", '{"a": 2'); // '<tool_call>\n{"name": "add", "arguments": {"a": 2'
 */
export const callAsText = (name: string, args: Record<string, unknown> | string): string =>
  typeof args === "string"
    ? `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${args}`
    : protocols.hermes.renderCalls([{ name, arguments: args }], { tools: [] });
