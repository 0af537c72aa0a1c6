import { kindsIn } from "./body-kinds.js";
import { checkArgument } from "./check-argument.js";
import { describeValue } from "./common/describe-value.js";
import { isObject } from "./common/plain-object.js";
import { ProtocolError } from "./errors.js";
import type { Protocol, ProtocolDeclaration } from "./protocol.js";
import { renderCalls } from "./render.js";

/**
 * Creates a protocol from its declaration: rendering, parsing and grammars all follow from `syntax`.
 *
 * `bodies` are the kinds of bodies in the syntax, from `@toolingua/core/bodies`. The protocol contains the code for
 * these kinds only.
 *
 * Errors: {@link ProtocolError} with code `bad-declaration` for a part that is missing or of another type; with code
 * `unknown-body` for a body whose kind is not among `bodies`.
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
  checkDeclaration(declaration);
  const { syntax } = declaration;
  const bodies = kindsIn(syntax, declaration.bodies);
  return {
    ...declaration,
    bodies,
    renderTools(tools, context) {
      checkRendered("tools", tools, context);
      checkArgument("context.listTools", "function", context.listTools);
      return declaration.renderTools(tools, context);
    },
    renderResults(results, context) {
      checkRendered("results", results, context);
      checkArgument("context.tools", "list", context.tools);
      return declaration.renderResults(results, context);
    },
    renderCalls(calls, context) {
      checkRendered("calls", calls, context);
      checkArgument("context.tools", "list", context.tools);
      return renderCalls(syntax, calls, context.tools, bodies);
    },
  };
}

function checkRendered(name: string, list: unknown, context: unknown): void {
  checkArgument(name, "list", list);
  checkArgument("context", "object", context, "an object such as { tools }");
}

/** JavaScript may leave out a part or misspell it, which would be noticed only when it is used. */
function checkDeclaration(declaration: ProtocolDeclaration): void {
  const given: unknown = declaration;
  if (!isObject(given)) throw refused(`The declaration of a protocol must be an object, not ${describeValue(given)}.`);
  const { name, syntax, renderTools, renderResults } = given;
  if (typeof name !== "string" || name === "")
    throw refused(`\`name\` of a protocol must be a text, not ${describeValue(name)}.`);
  const wrong = (key: string, must: string, value: unknown) =>
    refused(`\`${key}\` of the protocol "${name}" must be ${must}, not ${describeValue(value)}.`);
  for (const [key, value] of Object.entries({ renderTools, renderResults }))
    if (typeof value !== "function") throw wrong(key, "a function that returns a text", value);
  const { call, stop = [], spans = [] } = isObject(syntax) ? syntax : {};
  if (
    !Array.isArray(call) ||
    !call.every(isPart) ||
    call.filter((part) => isObject(part) && "body" in part).length !== 1
  )
    throw refused(
      `\`syntax.call\` of the protocol "${name}" must be a list of markers, slots and one body, such as ["<call>", { body: "json-call", name: "name", arguments: "arguments" }, "</call>"].`,
    );
  if (!Array.isArray(stop) || !stop.every((one) => typeof one === "string"))
    throw wrong("syntax.stop", "a list of texts", stop);
  if (!Array.isArray(spans)) throw wrong("syntax.spans", "a list of spans", spans);
  for (const span of spans)
    if (!isObject(span) || typeof span.open !== "string" || !["reasoning", "dropped"].includes(String(span.as)))
      throw wrong(
        "syntax.spans",
        'a list of spans such as { open: "<think>", close: "</think>", as: "reasoning" }',
        span,
      );
}

const isPart = (part: unknown): boolean =>
  typeof part === "string" || (isObject(part) && ("body" in part || "slot" in part));

const refused = (message: string) => new ProtocolError("bad-declaration", message);
