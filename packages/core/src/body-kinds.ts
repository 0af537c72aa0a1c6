import { ProtocolError } from "./errors.js";
import type { BodyKind } from "./reply/readers/body-kind.js";
import {
  type AttributesBody,
  type Body,
  type Form,
  formsOf,
  isBody,
  isToolElement,
  type Syntax,
} from "./syntax/syntax.js";

/**
 * The kind of a body, among the given kinds.
 *
 * Errors: {@link ProtocolError} with code `unknown-body`; its message names the import.
 */
export function bodyKindOf(body: Body, kinds: readonly BodyKind[]): BodyKind {
  const kind = kinds.find((candidate) => candidate.kind === body.body);
  if (kind) return kind;
  const export_ = `${body.body.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Body`;
  throw new ProtocolError(
    "unknown-body",
    `The body kind "${body.body}" is unknown here. Known: ${kinds.map((known) => known.kind).join(", ") || "none"}. ` +
      `Import { ${export_} } from "@toolingua/core/bodies" and add it to the \`bodies\` of defineProtocol.`,
  );
}

/** An element named after a tool is also read with its arguments as attributes. */
const inTag: AttributesBody = { body: "attributes", tag: "", name: "" };

const bodiesOf = (form: Form): Body[] => [...form.call.filter(isBody), ...(isToolElement(form) ? [inTag] : [])];

/** The kinds of the bodies that a syntax reads, all of which must be among the given kinds. JavaScript may pass none. */
export const kindsIn = (syntax: Syntax, kinds: readonly BodyKind[] = []): BodyKind[] => [
  ...new Set(formsOf(syntax).flatMap((form) => bodiesOf(form).map((body) => bodyKindOf(body, kinds)))),
];
