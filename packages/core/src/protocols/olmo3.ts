import { pythonArgumentsBody } from "../bodies/python-arguments.js";
import { defineProtocol } from "../define-protocol.js";
import type { Part } from "../syntax/syntax.js";
import { plainDefinition } from "../tool-text/json.js";
import { renderJson } from "../tool-text/render-json.js";
import { namedResults, think } from "./parts.js";

const call: Part[] = [{ slot: "name" }, { body: "python-arguments" }];

/**
 * Python calls, one per line, between tags.
 *
 * @example
 * // <function_calls>add(a=2, b=3)
 * // now()</function_calls>
 */
export const olmo3 = defineProtocol({
  name: "olmo3",
  about: { models: "Olmo 3", source: "the chat template of allenai/Olmo-3-7B-Instruct" },
  bodies: [pythonArgumentsBody],
  syntax: {
    parallel: true,
    block: { open: "<function_calls>", separator: "\n", close: "</function_calls>" },
    call,
    // As a list, which other models write, with its brackets or without.
    also: ["[", ""].map((open) => ({
      block: { open: `<function_calls>${open}`, separator: ",", close: `${open && "]"}</function_calls>` },
      call,
    })),
    spans: [think, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools(tools, { style, listTools }) {
    const list =
      style === "native"
        ? `[${tools.map((tool) => renderJson(plainDefinition(tool))).join(", ")}]`
        : listTools(tools, style);
    return `You have access to these functions:\n<functions>${list}</functions>\nTo call them, write the calls between <function_calls> and </function_calls>, one a line, as in Python: name(parameter="value").`;
  },
  renderResults: namedResults.render,
});
