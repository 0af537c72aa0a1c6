import type { ProviderMetadata } from "./sdk.js";

/** The metadata of one provider. */
export type Metadata = ProviderMetadata[string];

/** A value as JSON, which metadata and provider options must be. */
export const asJson = (value: object): Metadata => JSON.parse(JSON.stringify(value));

/** Merges metadata, or the options of joined messages, by provider; the last value wins. */
export function merged(all: readonly ProviderMetadata[]): ProviderMetadata {
  const sum: ProviderMetadata = {};
  for (const each of all) {
    for (const [provider, own] of Object.entries(each)) sum[provider] = { ...sum[provider], ...own };
  }
  return sum;
}
