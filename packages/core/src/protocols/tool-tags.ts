import { attributesBody } from "../bodies/attributes.js";
import { elementsBody } from "../bodies/elements.js";
import { jsonBody } from "../bodies/json.js";
import { defineProtocol } from "../define-protocol.js";
import { key, name } from "../syntax/parts.js";
import type { Form } from "../syntax/syntax.js";
import { namedResults, think } from "./parts.js";
import { exampleCall, toolSection, whenToCall } from "./tool-section.js";

/** The element's children are the arguments. */
const childrenCall: Form["call"] = [
  "<",
  name,
  ">\n",
  { body: "elements", open: ["<", key, ">"], close: ["</", key, ">\n"], leaf: "markup" },
  "</",
  name,
  ">",
];

/**
 * An element named after the tool, with a child for each argument: the format of coding agents such as Cline and Roo
 * Code, in which code needs no escaping.
 *
 * @example
 * // <read_file>
 * // <path>src/main.ts</path>
 * // </read_file>
 */
export const toolTags = defineProtocol({
  name: "tool-tags",
  about: { models: "any that follows instructions; coding agents", source: "the system prompt of Cline" },
  bodies: [jsonBody, elementsBody, attributesBody],
  syntax: {
    parallel: true,
    call: childrenCall,
    also: [{ call: ["<", name, ">", { body: "json" }, "</", name, ">"] }],
    spans: [think, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools(tools, context) {
    return toolSection(tools, context, [
      "To call a tool, write an element with its name, and inside it one for each argument, in this form:",
      exampleCall(toolTags, tools),
      "",
      "Write text as it is, without escaping it. Write an array or an object as JSON.",
      whenToCall(context.parallel),
    ]);
  },
  renderResults: namedResults.render,
});
