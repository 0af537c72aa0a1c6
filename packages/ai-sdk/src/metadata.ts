import type { ProviderMetadata } from "./sdk.js";

/** The metadata of one provider. */
export type Metadata = ProviderMetadata[string];

/** A value as metadata, which must be JSON. */
export const metadataOf = (value: object): Metadata => JSON.parse(JSON.stringify(value));
