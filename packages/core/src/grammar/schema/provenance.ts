import { oncePer } from "../../common/once-per.js";
import { isObject } from "../../common/plain-object.js";
import type { JsonObject } from "../../schema/json.js";
import type { NormalSchema } from "../../schema/normalize.js";
import type { GrammarGap } from "../gaps.js";
import { UNMERGED } from "../rewriting/merge.js";
import { keywordsOf } from "./type-rule.js";

/** Keywords of the normal form, and the keywords of the given schema from which they may come. */
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

/** Keywords of the given schema from which a keyword that the compiler added may come. */
const implied: Readonly<Record<string, readonly string[]>> = {
  additionalProperties: keywordsOf.object!,
  properties: ["required", "propertyNames", "patternProperties"],
  type: Object.values(keywordsOf).flat(),
};

/** Finds where the keywords of nodes are in the given schema, including nodes that the compiler made. */
export class Provenance {
  private readonly madeFor = new WeakMap<object, GrammarGap>();
  private readonly parents = new WeakMap<object, readonly JsonObject[]>();

  constructor(private readonly origin: NormalSchema["origin"]) {}

  /** Records the nodes from which a node was made. */
  made(node: object, from: readonly JsonObject[]): void {
    this.parents.set(node, from);
  }

  /** Records the two nodes from which one was merged, and which of them contains the parts that could not be merged. */
  merged(node: JsonObject, a: JsonObject, b: JsonObject): void {
    this.made(node, [a, b]);
    for (const unmerged of (node[UNMERGED] as JsonObject[] | undefined) ?? [])
      if (!this.parents.has(unmerged)) this.made(unmerged, "additionalProperties" in unmerged ? [a, b] : [b]);
  }

  /** Records that a node was made for a keyword, with all of its parts that have no other origin. */
  standsFor(node: unknown, keyword: GrammarGap): void {
    if (typeof node !== "object" || node === null) return;
    if (this.origin(node) || this.madeFor.has(node) || this.parents.has(node)) return;
    this.madeFor.set(node, keyword);
    for (const [name, part] of Object.entries(node))
      if (name !== "enum" && name !== "const") this.standsFor(part, keyword);
  }

  /** The places of a node's keyword in the given schema; `parent` where they are not known. */
  of(node: unknown, keyword: string, parent: string): GrammarGap[] {
    if (!isObject(node)) return [{ path: parent, keyword }];
    const madeFor = this.madeFor.get(node);
    if (madeFor) return [madeFor];
    const parents = this.parents.get(node) ?? [];
    const stating = parents.filter((one) => keyword in one);
    const from = stating.length > 0 ? stating : parents.filter((one) => implied[keyword]?.some((name) => name in one));
    if (from.length > 0) return from.flatMap((one) => this.of(one, keyword, parent));
    const { path, schema } = this.origin(node) ?? { path: parent, schema: undefined };
    if (!isObject(schema) || keyword in schema) return [{ path, keyword }];
    return [{ path, keyword: written[keyword]?.find((name) => name in schema) ?? keyword }];
  }
}

/** The provenance of a schema. Its compilers share one, because they exchange nodes that they made. */
export const provenanceOf = oncePer((schema: NormalSchema) => new Provenance(schema.origin));
