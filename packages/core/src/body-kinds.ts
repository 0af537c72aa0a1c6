import { ProtocolError } from "./errors.js";
import type { BodyKind } from "./reply/body-kind.js";
import { type Body, formsOf, isBody, type Syntax } from "./syntax/syntax.js";

/**
 * The kind of a body, among those that are there.
 *
 * Errors: {@link ProtocolError} with code `unknown-body`, which says what to import.
 */
export function kindOf(body: Body, kinds: readonly BodyKind[]): BodyKind {
  const kind = kinds.find((candidate) => candidate.kind === body.body);
  if (kind) return kind;
  const export_ = `${body.body.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Body`;
  throw new ProtocolError(
    "unknown-body",
    `Nothing here reads or writes a body of the kind "${body.body}". There are: ${kinds.map((known) => known.kind).join(", ") || "none"}. ` +
      `Import { ${export_} } from "@toolingua/core/bodies" and name it in the \`bodies\` of defineProtocol.`,
  );
}

/** The kinds of the bodies in a syntax, all of which must be among those that are there. Without types they may be left out. */
export const kindsIn = (syntax: Syntax, kinds: readonly BodyKind[] = []): BodyKind[] => [
  ...new Set(
    formsOf(syntax).flatMap(({ call }) => call.flatMap((part) => (isBody(part) ? [kindOf(part, kinds)] : []))),
  ),
];
