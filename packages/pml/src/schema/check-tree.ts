import { type JsonSchema, validateValue } from "@toolingua/core";
import { jsonPointer } from "@toolingua/core/adapters";
import { PmlTreeError } from "../errors.js";
import type { PmlAttachment, PmlDocument } from "../tree.js";
import { pmlJsonSchema } from "./json-schema.js";
import { isDeeper, MAX_LEVELS, undefinedIn, whyNoJson } from "./plain-json.js";

type Code = ConstructorParameters<typeof PmlTreeError>[0];

/**
 * Checks data against the schema of the tree. The arguments of calls and the schemas of tools must be JSON.
 *
 * Errors: {@link PmlTreeError}, with the JSON pointer to the problem.
 */
export function checkTree(document: unknown, code: Code = "bad-tree"): asserts document is PmlDocument {
  assertDocument(document, code);
  const checkJson = (data: unknown, ...path: (string | number)[]) => {
    const why = whyNoJson(data);
    if (why !== undefined) throw new PmlTreeError(code, jsonPointer("", ...path), `${why}.`);
  };
  const { tools, conversation } = document;
  tools?.list.forEach(({ parameters }, i) => {
    if (parameters !== undefined) checkJson(parameters, "tools", "list", i, "parameters");
  });
  conversation?.turns.forEach(({ messages }, i) => {
    messages.forEach((message, j) => {
      if (message.type === "tool_output") return;
      message.parts.forEach((part, k) => {
        if (part.type !== "call") return;
        checkJson(part.arguments, "conversation", "turns", i, "messages", j, "parts", k, "arguments");
      });
    });
  });
}

function assertDocument(data: unknown, code: Code): asserts data is PmlDocument {
  checkData(data, pmlJsonSchema, code);
}

const attachmentSchema: JsonSchema = { $ref: "#/$defs/attachment", $defs: pmlJsonSchema.$defs };

/** As {@link checkTree}, for an attachment alone. */
export function checkAttachment(attachment: unknown): asserts attachment is PmlAttachment {
  checkData(attachment, attachmentSchema, "bad-tree");
}

function checkData(data: unknown, schema: JsonSchema, code: Code): void {
  const [issue] = validateValue(data, schema);
  if (!issue) return;
  const steps = issue.keyword === "json" && !isDeeper(data, MAX_LEVELS) ? undefinedIn(data) : undefined;
  if (steps) throw new PmlTreeError(code, jsonPointer("", ...steps), "is undefined: omit the field.");
  throw new PmlTreeError(code, issue.path, `${issue.message}.`);
}
