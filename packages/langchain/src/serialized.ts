import type { LanguageModelLike } from "@langchain/core/language_models/base";
import { protocols } from "@toolingua/core";
import type { ToolCallingOptions } from "./options.js";

type Json = Record<string, unknown>;

/** A name as LangChain writes it: `onInvalidCall` is `on_invalid_call`. */
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * What LangChain's `load` makes the same model of: the wrapped model as it writes itself, and the options. Functions are
 * left out. `undefined` where the wrapped model, or a protocol of one's own, cannot be written.
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
