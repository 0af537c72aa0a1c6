import type { JsonSchema } from "../../src/types.js";
import { branches } from "./schema-probes/branches.js";
import { keys } from "./schema-probes/keys.js";
import { lists } from "./schema-probes/lists.js";
import { values } from "./schema-probes/values.js";

/**
 * Expectations for a schema: accepted texts, rejected texts, and keywords that the grammar must report as not enforced.
 */
export interface SchemaProbe {
  schema: JsonSchema;
  accepts: string[];
  rejects: string[];
  /** `path keyword`, in order; left out: none. */
  unenforced?: string[];
  narrowed?: string[];
}

export const schemaProbes: Record<string, SchemaProbe> = { ...branches, ...keys, ...lists, ...values };
