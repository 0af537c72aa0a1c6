import { type Constraint, OptionsError } from "@toolingua/core";
import { constraintFields } from "@toolingua/core/grammar";
import type { BackendTraits } from "./backends.js";
import { EndpointError } from "./errors.js";

/** Fields that would hand the tools to the server, whose own parser would then read the reply. */
const TOOLS = ["tools", "tool_choice", "functions", "function_call"];

/**
 * The fields by which a server holds the reply to a form: those of the request as they are, and its grammar as this kind
 * of server reads it.
 *
 * Errors: {@link EndpointError} `unsupported` where the server reads no grammars; `OptionsError` for fields that would
 * tell the server of tools.
 */
export function constrained(
  { grammar }: BackendTraits,
  constraint: Constraint | undefined,
  fields: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const told = TOOLS.find((name) => Object.hasOwn(fields, name));
  if (told !== undefined)
    throw new OptionsError("bad-option", `\`fields\` cannot have "${told}": tools are part of the messages.`);
  if (!constraint) return fields;
  if (grammar === undefined)
    throw new EndpointError(
      "unsupported",
      'This endpoint is not known to read grammars. Give the endpoint its `backend` ("llama.cpp", "vllm" or "sglang"), or give `generateWithTools` the option `backend: "openai"` or "ollama", for a JSON Schema in place of a grammar.',
    );
  return { ...constraintFields(grammar, constraint), ...fields };
}
