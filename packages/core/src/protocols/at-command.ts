import { jsonBody } from "../bodies/json.js";
import { pythonArgumentsBody } from "../bodies/python-arguments.js";
import { defineProtocol } from "../define-protocol.js";
import { name, toolName } from "../syntax/parts.js";
import { namedResults, think } from "./parts.js";
import { exampleCall, toolSection, whenToCall } from "./tool-section.js";

/**
 * One line per call: `@`, the tool's name and a JSON object. The shortest format, for models that cannot handle more
 * markup than that.
 *
 * @example
 * // @add {"a": 2, "b": 3}
 */
export const atCommand = defineProtocol({
  name: "at-command",
  about: { models: "any that follows instructions", source: "Toolingua's own" },
  bodies: [jsonBody, pythonArgumentsBody],
  syntax: {
    parallel: true,
    at: "line",
    call: ["@", name, " ", { body: "json" }],
    also: [
      // The original spelling, with the word in front of the name.
      { at: "line", call: ["@tool ", name, " ", { body: "json" }] },
      { at: "line", call: ["@", toolName, { body: "python-arguments" }] },
    ],
    spans: [think, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools(tools, context) {
    return toolSection(tools, context, [
      "To call a tool, write @, its name and its arguments as one JSON object, alone on a line:",
      exampleCall(atCommand, tools),
      "",
      whenToCall(context.parallel, "each on its own line"),
    ]);
  },
  renderResults: namedResults.render,
});
