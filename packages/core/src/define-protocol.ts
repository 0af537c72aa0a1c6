import { kindsIn } from "./body-kinds.js";
import type { Protocol, ProtocolDeclaration } from "./protocol.js";
import { renderCalls } from "./render.js";

/**
 * Creates a protocol from its declaration: rendering, parsing and grammars all follow from `syntax`.
 *
 * `bodies` are the kinds of bodies in the syntax, from `@toolingua/core/bodies`. The protocol contains the code for
 * these kinds only.
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
