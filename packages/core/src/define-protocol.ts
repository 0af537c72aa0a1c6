import { kindsIn } from "./body-kinds.js";
import type { Protocol, ProtocolDeclaration } from "./protocol.js";
import { renderCalls } from "./render.js";

/**
 * Makes a protocol of its declaration: how calls are rendered, read and constrained all follows from `syntax`.
 *
 * `bodies` are the kinds of bodies in the syntax, from `@toolingua/core/bodies`: what reads and writes them comes with the
 * protocol, and nothing else does.
 *
 * Errors: {@link ProtocolError} with code `unknown-body` for a body whose kind is not among `bodies`.
 *
 * @example
 * const brackets = defineProtocol({
 *   name: "brackets",
 *   about: { models: "any", source: "own" },
 *   syntax: { parallel: true, call: ["[CALL]", { slot: "name" }, "[ARGS]", { body: "json" }, "[END]"] },
 *   bodies: [jsonBody],
 *   renderTools: (tools) => JSON.stringify(tools),
 *   renderResults: (results) => results.map((result) => `[RESULT]${result.content}[/RESULT]`).join("\n"),
 * });
 */
export function defineProtocol(declaration: ProtocolDeclaration & Pick<Protocol, "bodies">): Protocol {
  const { syntax } = declaration;
  const bodies = kindsIn(syntax, declaration.bodies);
  return { ...declaration, bodies, renderCalls: (calls, { tools }) => renderCalls(syntax, calls, tools, bodies) };
}
