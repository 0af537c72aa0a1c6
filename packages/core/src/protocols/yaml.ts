import { attributesBody } from "../bodies/attributes.js";
import { elementsBody } from "../bodies/elements.js";
import { yamlBody } from "../bodies/yaml.js";
import { defineProtocol } from "../define-protocol.js";
import { name } from "../syntax/parts.js";
import { isBodyOf } from "../syntax/syntax.js";
import { namedResults, think } from "./parts.js";
import { exampleCall, toolSection, whenToCall } from "./tool-section.js";
import { toolTags } from "./tool-tags.js";

/**
 * A YAML mapping inside an element named after the tool: the fewest tokens of the formats for models without one. Blocks
 * of text stream; other arguments come when all are complete.
 *
 * @example
 * // <get_weather>
 * // city: Paris
 * // days: 2
 * // </get_weather>
 */
export const yaml = defineProtocol({
  name: "yaml",
  about: { models: "any that follows instructions", source: "YAML 1.2, in the tags of coding agents" },
  bodies: [elementsBody, attributesBody, yamlBody],
  syntax: {
    parallel: true,
    call: ["<", name, ">\n", { body: "yaml" }, "</", name, ">"],
    // In YAML, white space around a value of one line has no meaning.
    also: [
      { call: toolTags.syntax.call.map((part) => (isBodyOf(part, "elements") ? { ...part, trims: true } : part)) },
    ],
    spans: [think, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools(tools, context) {
    return toolSection(tools, context, [
      "To call a tool, write an element with its name, and inside it the arguments as YAML, in this form:",
      exampleCall(yaml, tools),
      "",
      "Write text of several lines as a block: a | after the key, and the lines below it, indented.",
      whenToCall(context.parallel),
    ]);
  },
  renderResults: namedResults.render,
});
