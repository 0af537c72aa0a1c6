import { hash36 } from "../hash.js";
import { textAt } from "./expect.js";
import type { Losses } from "./losses.js";
import { OpenCalls } from "./open-calls.js";
import type { ReadOptions } from "./types.js";

/** What a provider takes as a name or an id. */
export interface NameRule {
  /** One character that it may not contain; with the flag `g`. */
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
  private readonly open = new OpenCalls();

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
      const why = `names here have at most ${this.rule.max} letters, digits and few other characters: written "${written}". Give \`tools\` to the function that reads it back`;
      losses.add(path, "name", why);
    }
    return written;
  }

  /** A call's id as the provider takes it. */
  writeId(id: string, path: string, losses: Losses): string {
    const written = fitName(id, this.ids);
    if (written !== id)
      losses.add(path, "id", `ids here have at most ${this.ids.max} plain characters: written "${written}"`);
    return written;
  }

  /** The tool's own name. */
  read(written: string): string {
    return this.own.get(written) ?? written;
  }

  /** Remembers a call, for the result that only says its id. */
  remember(call: { id: string; name: string }): void {
    this.byId.set(call.id, call.name);
    this.open.add({ ...call });
  }

  /** What is called from now on is called in a new turn: results without an id no longer answer what was called before. */
  nextTurn(): void {
    this.open.close();
  }

  /** Remembers a call that was read. One that says no id gets one by its place, the same each time. */
  readCall<Call extends { name: string }>(
    given: unknown,
    call: Call,
    path: string,
    losses: Losses,
  ): Call & { id: string } {
    const hasId = given !== undefined && given !== null;
    const read = { ...call, id: hasId ? textAt(given, path, "the call's id") : this.madeUp("call", path) };
    if (!hasId) losses.add(path, "id", `the call says none: "${read.id}" stands in`);
    this.byId.set(read.id, read.name);
    this.open.add(read, hasId);
    return read;
  }

  /**
   * The call that a result answers: by its id; where it says none, the first that waits for its result. `name`: the tool's,
   * where the result says that.
   */
  answered(given: unknown, path: string, losses: Losses, name?: string): { toolCallId: string; name: string } {
    if (given !== undefined && given !== null) {
      const id = textAt(given, path, "the id of the call that is answered");
      const call = this.byId.has(id) ? undefined : this.open.take(name, id);
      const known = this.byId.get(id) ?? call?.name ?? name;
      if (known === undefined) {
        const why = `no call with the id "${id}" stands before its result, so the tool is unknown: "tool" stands in`;
        losses.add(path, "name", why);
      } else this.open.take(known, id);
      return { toolCallId: id, name: known ?? "tool" };
    }
    const call = this.open.take(name);
    const toolCallId = call?.id ?? this.madeUp("call", path);
    const which = call ? "is taken for the answer to the first call that waits for one" : "answers no call that waits";
    losses.add(path, "id", `the result says none, and ${which}: "${toolCallId}" stands in`);
    return { toolCallId, name: call?.name ?? name ?? "tool" };
  }

  /** An id by the place, that no call before has. */
  private madeUp(kind: string, path: string): string {
    let id = [kind, ...(path.match(/\d+/g) ?? [])].join("_");
    while (this.byId.has(id)) id += "_";
    return id;
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
