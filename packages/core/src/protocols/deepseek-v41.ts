import { elementsBody } from "../bodies/elements.js";
import { jsonBody } from "../bodies/json.js";
import { defineProtocol } from "../define-protocol.js";
import { deepseekTools, deepseekV4 } from "./deepseek-v4.js";
import { markupCalls, SPACED } from "./dsml.js";

/**
 * As `deepseek-v4`, with a space before the names of the tags.
 *
 * @example
 * // <｜DSML｜ calls>
 * // <｜DSML｜ invoke name="add">
 * // <｜DSML｜ parameter name="a" string="false">2</｜DSML｜ parameter>
 * // </｜DSML｜ invoke>
 * // </｜DSML｜ calls>
 */
export const deepseekV41 = defineProtocol({
  name: "deepseek-v41",
  about: { models: "DeepSeek V4.1", source: "the encoding of DeepSeek V4.1 in vLLM" },
  bodies: [jsonBody, elementsBody],
  syntax: { ...deepseekV4.syntax, ...markupCalls(SPACED, "calls") },
  renderTools: deepseekTools("calls", SPACED),
  renderResults: deepseekV4.renderResults,
});
