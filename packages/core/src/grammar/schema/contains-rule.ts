import { oncePer } from "../../common/once-per.js";
import type { JsonObject } from "../../schema/json.js";
import type { JsonSchema } from "../../types.js";
import { choice, repeat, sequence } from "../rules.js";
import type { NodeContext } from "./node-context.js";

/** The maximum number of rules that count items. */
const MAX_STATES = 128;

/** How many items of an array must match `contains`: at least `least`, at most `most`. */
export interface Wanted {
  contains: JsonSchema;
  least: number;
  most: number | undefined;
}

/** The `contains` of a schema; undefined where every array matches. */
export function wantedOf({ contains, minContains = 1, maxContains }: JsonObject): Wanted | undefined {
  if (contains === undefined || (minContains === 0 && maxContains === undefined)) return undefined;
  const [least, most] = [minContains as number, maxContains as number | undefined];
  return { contains: contains as JsonSchema, least, most };
}

/** Expressions for the first items of an array and for each further one, and bounds for their total number. */
export interface Row {
  prefix: readonly string[];
  item: string | undefined;
  min: number;
  max: number | undefined;
}

/**
 * One item or more, with the required number of items that match `contains`; undefined where counting takes too many
 * rules. There is one rule for each number of items and of matching items among them, up to where these matter.
 */
export function countedRow(
  node: JsonObject,
  { contains, least, most }: Wanted,
  row: Row,
  context: NodeContext,
): { written: string | undefined } | undefined {
  if (least > Math.min(most ?? least, row.max ?? least))
    return { written: context.nothing(least > 1 ? "minContains" : "contains") };
  const places = (row.max ?? Math.max(1, row.prefix.length, row.min)) + 1;
  const isExact = most !== undefined && places * (most + 1) <= MAX_STATES;
  if (most !== undefined && !isExact) {
    context.unenforced("maxContains");
    if (least === 0) return undefined;
  }
  if (places * (least + 1) > MAX_STATES) {
    context.unenforced("contains");
    if (least > 1) context.unenforced("minContains");
    return undefined;
  }
  const wanted = { contains, least, most: isExact ? most : undefined };
  return { written: new CountedRow(node, wanted, row, context).from(0, 0) ?? context.nothing("contains") };
}

class CountedRow {
  private readonly known = new Map<string, string | undefined>();
  /** The position from which on all items are alike; undefined where the length is bounded. */
  private readonly loop: number | undefined;

  constructor(
    private readonly node: JsonObject,
    private readonly wanted: Wanted,
    private readonly row: Row,
    private readonly context: NodeContext,
  ) {
    this.loop = row.max === undefined ? Math.max(1, row.prefix.length, row.min) : undefined;
  }

  /** What may follow `place` items, of which `found` match `contains`. */
  from(place: number, found: number): string | undefined {
    const { row, wanted, context } = this;
    const { most, least } = wanted;
    const at = Math.min(place, this.loop ?? place);
    const count = most === undefined ? Math.min(found, least) : found;
    if (most === undefined && count === least && at >= row.prefix.length) return this.others(at);
    const key = `${at} ${count}`;
    if (this.known.has(key)) return this.known.get(key);
    const name = at === this.loop ? context.rules.reserve(`${context.hint}-left`) : undefined;
    this.known.set(key, name);
    const body = this.make(at, count);
    if (!body) this.known.set(key, body);
    else if (name === undefined) this.known.set(key, context.rules.add(`${context.hint}-left`, body));
    else context.rules.define(name, body);
    return this.known.get(key);
  }

  private make(place: number, count: number): string | undefined {
    const { least, most } = this.wanted;
    const mayEnd = place >= this.row.min && count >= least;
    const more = count < (most ?? least) ? this.followed(this.wantedAt(place), place, count + 1) : undefined;
    // More items that do not match would lead nowhere.
    if (place === this.loop && !mayEnd && more === undefined) return undefined;
    const isLast = place === this.row.max;
    const other = isLast ? undefined : this.followed(this.otherAt(place), place, count);
    const options = [more, other].filter((option) => option !== undefined);
    if (options.length === 0) return mayEnd ? "" : undefined;
    const comma = place === 0 ? "" : this.context.json.comma;
    return repeat(sequence(comma, choice(options)), mayEnd && place > 0 ? 0 : 1, 1);
  }

  /** An item, and what may follow it. */
  private followed(item: string | undefined, place: number, count: number): string | undefined {
    const rest = item === undefined ? undefined : this.from(place + 1, count);
    return rest === undefined ? undefined : sequence(item!, rest);
  }

  /** Items of any kind, once enough of them match. */
  private others(place: number): string | undefined {
    const { item, min, max } = this.row;
    const left = max === undefined ? undefined : max - place;
    if (item === undefined || left === 0) return place < min ? undefined : "";
    return repeat(sequence(this.context.json.comma, item), Math.max(0, min - place), left);
  }

  private schemaAt(place: number): JsonSchema {
    const { prefixItems, items = true } = this.node as { prefixItems?: JsonSchema[]; items?: JsonSchema };
    return prefixItems?.[place] ?? items;
  }

  private wantedAt(place: number): string | undefined {
    if (this.itemAt(place) === undefined) return undefined;
    return this.expression(place, this.wanted.contains, "contained");
  }

  /** An item that does not match `contains` where the matching ones have a maximum; otherwise any item. */
  private otherAt(place: number): string | undefined {
    const item = this.itemAt(place);
    if (item === undefined || this.wanted.most === undefined) return item;
    const none = noneOf(this.wanted.contains);
    this.context.standsFor(none, "maxContains");
    return this.expression(place, none, "other");
  }

  private itemAt(place: number): string | undefined {
    const { prefix, item, max } = this.row;
    return place === max ? undefined : (prefix[place] ?? item);
  }

  private expression(place: number, schema: JsonSchema, kind: string): string | undefined {
    return this.context.expression({ allOf: [this.schemaAt(place), schema] }, `${this.context.hint}-${kind}`);
  }
}

/** The negation of a schema, as one object per schema, so that recursion is detected. */
const noneOf = (schema: JsonSchema): JsonSchema => (typeof schema === "boolean" ? !schema : negated(schema));

const negated = oncePer((schema: JsonObject): JsonSchema => ({ not: schema }));
