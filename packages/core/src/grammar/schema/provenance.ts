import { isObject } from "../../plain-object.js";
import type { JsonObject } from "../../schema/json.js";
import type { NormalSchema } from "../../schema/normalize.js";
import type { GrammarGap } from "../gaps.js";
import { UNMERGED } from "../rewriting/merge.js";
import { keywordsOf } from "./type-rule.js";

/** Keywords of the normal form, and what may stand for them in a schema as it was given. */
const written: Readonly<Record<string, readonly string[]>> = {
  allOf: ["$ref", "$dynamicRef", "$recursiveRef"],
  anyOf: ["nullable"],
  const: ["enum"],
  dependentRequired: ["dependencies"],
  dependentSchemas: ["dependencies"],
  items: ["additionalItems"],
  maxContains: ["contains"],
  minContains: ["contains"],
  not: ["$ref", "$dynamicRef", "$recursiveRef"],
  prefixItems: ["items"],
  properties: ["required", "propertyNames", "patternProperties"],
};

/** What speaks of the same as a keyword that is noted though nobody wrote it. */
const unsaid: Readonly<Record<string, readonly string[]>> = {
  additionalProperties: keywordsOf.object!,
  properties: ["required", "propertyNames", "patternProperties"],
  type: Object.values(keywordsOf).flat(),
};

/** Where in the schema as it was given the keywords of nodes come from, also of nodes that the compiler made. */
export class Provenance {
  private readonly stands = new WeakMap<object, GrammarGap>();
  private readonly parents = new WeakMap<object, readonly JsonObject[]>();

  constructor(private readonly origin: NormalSchema["origin"]) {}

  /** Notes that a node holds what others do. */
  made(node: object, from: readonly JsonObject[]): void {
    this.parents.set(node, from);
  }

  /** Notes of which two nodes one was made, and which of them says what could not be put together. */
  merged(node: JsonObject, a: JsonObject, b: JsonObject): void {
    this.made(node, [a, b]);
    for (const unmerged of (node[UNMERGED] as JsonObject[] | undefined) ?? [])
      if (!this.parents.has(unmerged)) this.made(unmerged, "additionalProperties" in unmerged ? [a, b] : [b]);
  }

  /** Notes that one keyword is what a node says, with all in it that does not come from elsewhere. */
  standsFor(node: unknown, keyword: GrammarGap): void {
    if (typeof node !== "object" || node === null) return;
    if (this.origin(node) || this.stands.has(node) || this.parents.has(node)) return;
    this.stands.set(node, keyword);
    for (const [name, part] of Object.entries(node))
      if (name !== "enum" && name !== "const") this.standsFor(part, keyword);
  }

  /** Where a keyword of a node stands as it was given; at `parent` where that is not known. */
  of(node: unknown, keyword: string, parent: string): GrammarGap[] {
    if (!isObject(node)) return [{ path: parent, keyword }];
    const stands = this.stands.get(node);
    if (stands) return [stands];
    const parents = this.parents.get(node) ?? [];
    const says = parents.filter((one) => keyword in one);
    const from = says.length > 0 ? says : parents.filter((one) => unsaid[keyword]?.some((name) => name in one));
    if (from.length > 0) return from.flatMap((one) => this.of(one, keyword, parent));
    const { path, schema } = this.origin(node) ?? { path: parent, schema: undefined };
    if (!isObject(schema) || keyword in schema) return [{ path, keyword }];
    return [{ path, keyword: written[keyword]?.find((name) => name in schema) ?? keyword }];
  }
}

const known = new WeakMap<NormalSchema, Provenance>();

/** That of a schema: several compilers of it pass each other nodes that they made. */
export function provenanceOf(schema: NormalSchema): Provenance {
  let provenance = known.get(schema);
  if (!provenance) {
    provenance = new Provenance(schema.origin);
    known.set(schema, provenance);
  }
  return provenance;
}
