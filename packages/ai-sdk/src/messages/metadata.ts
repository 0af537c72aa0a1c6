import { isObject } from "@toolingua/core/adapters";
import type { ProviderMetadata } from "../sdk.js";

/** The metadata of one provider. */
export type Metadata = ProviderMetadata[string];

/** A value as JSON, which metadata and provider options must be. */
export const asJson = (value: object): Metadata => JSON.parse(JSON.stringify(value));

/** What is wrong with a call. */
export interface Wrong {
  code: string;
  message: string;
  feedback: string;
  /** Its arguments have several readings. */
  ambiguous?: boolean | undefined;
}

/** What is reported about a wrong call; `raw`: its source, `args`: its arguments as far as they are known. */
export function invalidMetadata(
  { code, message, feedback, ambiguous }: Wrong,
  name: string,
  raw: string,
  args: unknown,
): Metadata {
  const invalid: Metadata = { code, message, feedback, raw, toolName: name };
  if (isObject(args) && !ambiguous) invalid.arguments = asJson(args);
  return invalid;
}

/** Merges metadata, or the options of joined messages, by provider; the last value wins. */
export function merged(all: readonly ProviderMetadata[]): ProviderMetadata {
  const sum: ProviderMetadata = {};
  for (const each of all) {
    for (const [provider, own] of Object.entries(each)) sum[provider] = { ...sum[provider], ...own };
  }
  return sum;
}
