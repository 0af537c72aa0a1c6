import { hash36 } from "../hash.js";
import type { Losses } from "./losses.js";
import type { ReadOptions } from "./types.js";

/** What a provider takes as a name or an id. */
export interface NameRule {
  /** One sign that may not stand in it; with the flag `g`. */
  forbidden: RegExp;
  max: number;
  /** What it must begin with. */
  start?: RegExp;
}

/**
 * The name as the rule has it. One that breaks the rule is written with `_` and ends in a hash of itself, so that the
 * same name always becomes the same and no two become one.
 */
export function fitName(name: string, { forbidden, max, start }: NameRule): string {
  const plain = name.replace(forbidden, "_");
  const begun = start && !start.test(plain) ? `_${plain}` : plain;
  if (begun === name && name !== "" && name.length <= max) return name;
  return `${begun.slice(0, max - 8)}_${hash36(name)}`;
}

/** The tools' names in one conversion, and the ids of the calls. */
export class Names {
  private readonly own: ReadonlyMap<string, string>;
  private readonly byId = new Map<string, string>();

  constructor(
    private readonly rule: NameRule,
    private readonly ids: NameRule,
    { tools = [] }: ReadOptions = {},
  ) {
    this.own = new Map(tools.map(({ name }) => [fitName(name, rule), name]));
  }

  /** The name as the provider takes it. */
  write(name: string, path: string, losses: Losses): string {
    const written = fitName(name, this.rule);
    if (written !== name) {
      const why = `names here have at most ${this.rule.max} letters, digits and few signs: written "${written}". Give \`tools\` to the function that reads it back`;
      losses.add(path, "name", why);
    }
    return written;
  }

  /** A call's id as the provider takes it. */
  writeId(id: string, path: string, losses: Losses): string {
    const written = fitName(id, this.ids);
    if (written !== id)
      losses.add(path, "id", `ids here have at most ${this.ids.max} plain signs: written "${written}"`);
    return written;
  }

  /** The tool's own name. */
  read(written: string): string {
    return this.own.get(written) ?? written;
  }

  /** Remembers a call, for the result that only says its id. */
  remember({ id, name }: { id: string; name: string }): void {
    this.byId.set(id, name);
  }

  /** The name of the tool whose result this is, where only the call's id says so. */
  nameOfResult(id: string, path: string, losses: Losses): string {
    const name = this.byId.get(id);
    if (name === undefined) {
      losses.add(
        path,
        "name",
        `no call with the id "${id}" stands before its result, so the tool is unknown: "tool" stands in`,
      );
    }
    return name ?? "tool";
  }

  /** Reports where the name of a result will not be known to a reader, for formats that do not write it. */
  checkResult(result: { toolCallId: string; name: string }, path: string, losses: Losses): void {
    if (this.byId.get(result.toolCallId) === result.name) return;
    losses.add(
      path,
      "name",
      "results say only the call's id here, and no call of this tool with that id stands before",
    );
  }
}
