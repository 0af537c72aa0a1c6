import { everyBody } from "../bodies/index.js";
import { defineProtocol as define } from "../define-protocol.js";
import type { Protocol, ProtocolDeclaration } from "../protocol.js";

/**
 * Creates a protocol from its declaration: rendering, parsing and grammars all follow from `syntax`.
 *
 * @example
 * const brackets = defineProtocol({
 *   name: "brackets",
 *   about: { models: "any", source: "own" },
 *   syntax: { parallel: true, call: ["[CALL]", { slot: "name" }, "[ARGS]", { body: "json" }, "[END]"] },
 *   renderTools: (tools) => JSON.stringify(tools),
 *   renderResults: (results) => results.map((result) => `[RESULT]${result.content}[/RESULT]`).join("\n"),
 * });
 */
export const defineProtocol = (declaration: ProtocolDeclaration): Protocol =>
  define({ ...declaration, bodies: everyBody });
