import type { ProviderMetadata } from "./sdk.js";

/** The metadata of one provider. */
export type Metadata = ProviderMetadata[string];

/** A value as JSON, which metadata and provider options must be. */
export const asJson = (value: object): Metadata => JSON.parse(JSON.stringify(value));
