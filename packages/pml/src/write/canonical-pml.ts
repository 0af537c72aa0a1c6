import { isObject } from "@toolingua/core/adapters";
import { PmlTreeError } from "../errors.js";
import { checkTree } from "../schema/check-tree.js";
import type { PmlDocument } from "../tree.js";
import { documentElement, type OutElement } from "./elements.js";
import { unwritableIn } from "./unwritable.js";
import { escapedAttribute, escapedText, xmlCharacters } from "./xml-text.js";

/**
 * The canonical text of a document, which does not depend on how the document was written, for hashes and signatures:
 * Canonical XML 1.0 (https://www.w3.org/TR/xml-c14n), without white space between elements. Attributes are sorted,
 * there is no CDATA, and JSON has sorted keys.
 *
 * Errors: `PmlTreeError` `bad-tree`.
 *
 * @example canonicalPml({ version: "1", memory: [] }); // <pml version="1"><memory></memory></pml>
 */
export function canonicalPml(document: PmlDocument): string {
  checkTree(document);
  return canonical(documentElement(sortedData(document)));
}

/**
 * The SHA-256 of {@link canonicalPml} as 64 hexadecimal digits: equal for documents with equal content,
 * and for no others. Errors: `PmlTreeError` `bad-tree`, also for characters that XML does not allow, since they all are
 * U+FFFD in the canonical text.
 *
 * @example await hashPml(parsePml(xml)) === (await hashPml(parsePml(stringifyPml(parsePml(xml)))));
 */
export async function hashPml(document: PmlDocument): Promise<string> {
  const [path] = unwritableIn(document);
  if (path !== undefined) {
    throw new PmlTreeError("bad-tree", path, "has characters that XML does not allow: other texts have the same hash.");
  }
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonicalPml(document)));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function canonical({ name, attributes, content }: OutElement): string {
  const sorted = attributes
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => ` ${key}="${escapedAttribute(xmlCharacters(value))}"`);
  const inside = typeof content === "string" ? escapedText(xmlCharacters(content)) : content.map(canonical).join("");
  return `<${name}${sorted.join("")}>${inside}</${name}>`;
}

/** Sorts the keys of calls' arguments and of schemas. Their order decides which arguments are attributes. */
function sortedData(document: PmlDocument): PmlDocument {
  const { tools, conversation } = document;
  return {
    ...document,
    ...(tools && { tools: { ...tools, list: tools.list.map((tool) => ({ ...tool, ...sortedParameters(tool) })) } }),
    ...(conversation && {
      conversation: {
        ...conversation,
        turns: conversation.turns.map((turn) => ({
          ...turn,
          messages: turn.messages.map((message) =>
            message.type === "tool_output"
              ? message
              : {
                  ...message,
                  parts: message.parts.map((part) =>
                    part.type === "call" ? { ...part, arguments: sortedObject(part.arguments) } : part,
                  ),
                },
          ),
        })),
      },
    }),
  };
}

const sortedParameters = ({ parameters }: { parameters?: unknown }) =>
  isObject(parameters) ? { parameters: sortedObject(parameters) } : {};

const sortedObject = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((key) => [key, sorted(object[key])]),
  );

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  return isObject(value) ? sortedObject(value) : value;
}
