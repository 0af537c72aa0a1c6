import { type Constraint, OptionsError } from "@toolingua/core";
import { takesGrammar } from "@toolingua/core/adapters";
import { type ConstraintBackend, constraintFields } from "@toolingua/core/grammar";
import { EndpointError } from "./errors.js";
import { checkJson } from "./options.js";

/** Fields that would pass the tools to the server, whose own parser would then read the reply. */
const TOOLS = ["tools", "tool_choice", "functions", "function_call"];

/**
 * The request fields that constrain the reply: the request's own `fields`, and its grammar in the form that this kind
 * of server accepts.
 *
 * Errors: {@link EndpointError} `unsupported` if the server accepts no grammars, or for triggers without `whole`;
 * `OptionsError` for fields that would pass tools to the server, or that cannot be JSON.
 */
export function constrained(
  backend: ConstraintBackend | undefined,
  constraint: Constraint | undefined,
  fields: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const reserved = TOOLS.find((name) => Object.hasOwn(fields, name));
  if (reserved !== undefined)
    throw new OptionsError("bad-option", `\`fields\` cannot have "${reserved}": tools are part of the messages.`);
  checkJson("fields", fields);
  if (!constraint) return fields;
  if (backend === undefined || !takesGrammar(backend)) throw new EndpointError("unsupported", noGrammar(backend));
  const found = constraintFields(backend, constraint);
  if (!found)
    throw new EndpointError(
      "unsupported",
      "No server starts a grammar late. Give the constraint `whole`, the grammar of a whole reply, or no `triggers`.",
    );
  return { ...found, ...fields };
}

/** Why a server is sent no grammar, and what to set instead. */
const noGrammar = (backend: ConstraintBackend | undefined) =>
  backend === undefined
    ? 'This endpoint has no known support for grammars. Set its `backend` ("llama.cpp", "vllm" or "sglang"), or pass `backend: "openai"` or `"ollama"` to `generateWithTools` to use a JSON Schema instead.'
    : `The server of this endpoint ("${backend}") takes no grammar. A turn uses a JSON Schema instead if it has the backend too: \`generateWithTools({ …, ...turnOptionsFor("${backend}") })\`.`;

/**
 * The field of a completion that keeps the words of a constraint's triggers in the text: llama.cpp's server leaves special
 * tokens out. A chat request overwrites the field.
 */
export function preservedTokens(
  backend: ConstraintBackend | undefined,
  constraint: Constraint | undefined,
): Record<string, unknown> {
  const words = (constraint?.triggers ?? []).filter(({ type }) => type === "word").map(({ value }) => value);
  return backend === "llama.cpp" && words.length > 0 ? { preserved_tokens: words } : {};
}
