import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Root } from "@modelcontextprotocol/sdk/types.js";
import { OptionsError } from "@toolingua/core";
import { describeValue } from "@toolingua/core/adapters";

/** A folder or file that servers may work on: a path, a `file:` URL, or `{ uri, name }` with one. */
export type McpRoot = string | URL | Root;

/** A root in the protocol's form. Errors: `OptionsError` (`bad-option`): the protocol only allows files. */
export function toRoot(root: McpRoot): Root {
  const given = typeof root === "string" || root instanceof URL ? { uri: String(root) } : root;
  if (typeof (given as Root | null)?.uri !== "string") {
    const message = `A root must be a path, a file: URL or { uri, name }, not ${describeValue(root)}.`;
    throw new OptionsError("bad-option", message);
  }
  const isUrl = /^[a-z][a-z\d+.-]+:/i.test(given.uri);
  if (!isUrl) return { ...given, uri: pathToFileURL(resolve(given.uri)).href };
  if (/^file:\/\//i.test(given.uri)) return given;
  throw new OptionsError("bad-option", `A root must be a path or a file: URL, not ${JSON.stringify(given.uri)}.`);
}
