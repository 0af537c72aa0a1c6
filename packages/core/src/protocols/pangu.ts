import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { callList, namedResults } from "./parts.js";

const OPEN = "[unused11]";
const CLOSE = "[unused12]";

/**
 * All calls as a JSON list between two tokens without a meaning of their own, and the reasoning between two others.
 *
 * @example
 * // [unused16]The sum is needed.[unused17]
 * // [unused11][{"name": "add", "arguments": {"a": 2, "b": 3}}][unused12]
 */
export const pangu = defineProtocol({
  name: "pangu",
  about: {
    models: "openPangu Embedded, DeepDiver",
    source: "the agent of openPangu-Embedded-7B-DeepDiver; the prompt is ours",
  },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    ...callList(OPEN, CLOSE),
    spans: [{ open: "[unused16]", close: "[unused17]", as: "reasoning" }, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) => callsBetween(OPEN, CLOSE, nativeTools(tools, context, functionJson)),
  renderResults: namedResults.render,
});

/** The prompt of both formats of openPangu. `tools`: their definitions. */
export const callsBetween = (open: string, close: string, tools: string): string =>
  [
    "# Tools",
    "",
    "<tools>",
    tools,
    "</tools>",
    "",
    "To call functions, write a JSON list of the calls between the two tokens:",
    `${open}[{"name": <function name>, "arguments": <args json object>}]${close}`,
  ].join("\n");
