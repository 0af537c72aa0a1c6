import type { JsonSchema } from "../../src/types.js";
import { branches } from "./schema-probes/branches.js";
import { keys } from "./schema-probes/keys.js";
import { lists } from "./schema-probes/lists.js";
import { values } from "./schema-probes/values.js";

/** What a schema says of texts: those it accepts, those it does not, and keywords the grammar has to name as not followed. */
export interface SchemaProbe {
  schema: JsonSchema;
  accepts: string[];
  rejects: string[];
  /** `path keyword`, in order; left out: none. */
  unenforced?: string[];
  narrowed?: string[];
}

export const schemaProbes: Record<string, SchemaProbe> = { ...branches, ...keys, ...lists, ...values };
