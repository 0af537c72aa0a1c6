import { attributesBody } from "../bodies/attributes.js";
import { elementsBody } from "../bodies/elements.js";
import { jsonBody } from "../bodies/json.js";
import { defineProtocol } from "../define-protocol.js";
import { children, name } from "../syntax/parts.js";
import type { Body, Form } from "../syntax/syntax.js";
import { atStart, namedResults, think } from "./parts.js";
import { exampleCall, toolSection, whenToCall } from "./tool-section.js";

const bodies: Body[] = [{ body: "json" }, children];

/** The tags that models write around a call, and around its name. */
const TAGS = ["tool_call", "tool_use", "function_call"];
const NAMES = ["name", "tool_name", "tool", "function_name"];

/** A call in a tag, with its arguments in another tag or beside the name, also in the words of the format itself. */
function inTags(tag: string, named: string, body: Body): Form[] {
  const [open, close] = [`<${tag}>\n<${named}>`, `</${tag}>`];
  return [
    { call: [open, name, `</${named}>\n<arguments>`, body, `</arguments>\n${close}`] },
    { call: [open, name, `</${named}>`, body, close] },
  ];
}

/**
 * The name in one tag, the arguments as JSON in another: for models that were trained on no tool format. Naming the
 * tool outside the JSON lets a reader know the schema before the first argument. Tools are shown as signatures.
 *
 * @example
 * // <tool_call>
 * // <name>add</name>
 * // <arguments>{"a": 2, "b": 3}</arguments>
 * // </tool_call>
 */
export const xml = defineProtocol({
  name: "xml",
  about: { models: "any that follows instructions", source: "Toolingua's own" },
  bodies: [jsonBody, elementsBody, attributesBody],
  syntax: {
    parallel: true,
    call: [
      "<tool_call>\n<name>",
      name,
      "</name>\n<arguments>",
      { body: "json", escape: "markup" },
      "</arguments>\n</tool_call>",
    ],
    also: [
      // Some models leave out the tag around the first calls of a reply.
      ...bodies.map((body) => atStart("<name>", name, "</name>\n<arguments>", body, "</arguments>")),
      // Other words for the tags around the call and the name; any tag may be around the arguments.
      ...TAGS.flatMap((tag) => NAMES.flatMap((named) => bodies.flatMap((body) => inTags(tag, named, body)))),
      // The form in Anthropic's guide to tools of 2023.
      ...bodies.map((body) => ({
        block: {
          open: "<function_calls>\n<invoke>\n<tool_name>",
          separator: "\n<invoke>\n<tool_name>",
          close: "\n</function_calls>",
        },
        call: [name, "</tool_name>\n<parameters>", body, "</parameters>\n</invoke>"],
      })),
      { call: ["<tool_call>\n<arguments>", { body: "json" }, "</arguments>\n<name>", name, "</name>\n</tool_call>"] },
      { call: [{ body: "attributes", tag: "tool_call", name: "name" }] },
    ],
    spans: [think, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools(tools, context) {
    return toolSection(tools, context, [
      "To call a tool, write its name and its arguments, as one JSON object, in this form:",
      exampleCall(xml, tools),
      "",
      whenToCall(context.parallel),
    ]);
  },
  renderResults: namedResults.render,
});
