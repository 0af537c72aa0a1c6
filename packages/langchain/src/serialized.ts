import type { LanguageModelLike } from "@langchain/core/language_models/base";
import { protocols } from "@toolingua/core";
import type { ToolCallingOptions } from "./options.js";

type Json = Record<string, unknown>;

/** A name in LangChain's serialized form: `onInvalidCall` becomes `on_invalid_call`. */
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * The serialized form from which LangChain's `load` recreates the model: the wrapped model's own form and the options,
 * without functions. `undefined` if the wrapped model or a custom protocol cannot be serialized.
 */
export function serializedFields(model: LanguageModelLike, options: ToolCallingOptions): Json | undefined {
  const inner = (model as { toJSON?: () => { type?: string } }).toJSON?.();
  if (inner?.type !== "constructor") return undefined;
  const fields: Json = { model: inner };
  for (const [name, value] of Object.entries(options)) {
    const written = name === "protocol" ? protocolName(value) : value;
    if (name === "protocol" && value !== undefined && written === undefined) return undefined;
    if (written !== undefined && typeof written !== "function") fields[snakeCase(name)] = written;
  }
  return fields;
}

function protocolName(protocol: unknown): string | undefined {
  if (typeof protocol === "string") return protocol;
  return Object.entries(protocols).find(([, known]) => known === protocol)?.[0];
}
