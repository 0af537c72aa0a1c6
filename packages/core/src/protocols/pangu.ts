import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { callList, listPrompt, namedResults } from "./parts.js";

const OPEN = "[unused11]";
const CLOSE = "[unused12]";
const list = callList(OPEN, CLOSE);

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
    models: "openPangu Embedded, Pro, Ultra, DeepDiver",
    source: "the agent of openPangu-Embedded-7B-DeepDiver; the prompt is ours",
  },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    // Without the bracket, the tokens may be words of a vocabulary.
    block: list.block!,
    call: list.call,
    spans: [{ open: "[unused16]", close: "[unused17]", as: "reasoning" }, namedResults.span],
    turns: ["[unused9]"],
    noise: ["[unused10]"],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) => listPrompt(OPEN, CLOSE, tools, context),
  renderResults: namedResults.render,
});
