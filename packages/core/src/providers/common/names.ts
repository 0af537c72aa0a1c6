import { hash36 } from "../../common/hash.js";
import { textAt } from "./expect.js";
import type { Losses } from "./losses.js";
import type { ReadOptions } from "./types.js";
import { UnansweredCalls } from "./unanswered-calls.js";

/** A provider's rule for names or ids. */
export interface NameRule {
  /** Matches one forbidden character; with the flag `g`. */
  forbidden: RegExp;
  max: number;
  /** Matches the required beginning. */
  start?: RegExp;
}

/**
 * Adapts a name to the rule. Forbidden characters become `_` and a hash of the name is appended, so that equal names
 * stay equal and different names stay different.
 */
function fitName(name: string, { forbidden, max, start }: NameRule): string {
  const plain = name.replace(forbidden, "_");
  const begun = start && !start.test(plain) ? `_${plain}` : plain;
  if (begun === name && name !== "" && name.length <= max) return name;
  return `${begun.slice(0, max - 8)}_${hash36(name)}`;
}

/** The tools' names in one conversion, and the ids of the calls. */
export class Names {
  private readonly own: ReadonlyMap<string, string>;
  private readonly byId = new Map<string, string>();
  private readonly open = new UnansweredCalls();

  constructor(
    private readonly rule: NameRule,
    private readonly ids: NameRule,
    { tools = [] }: ReadOptions = {},
  ) {
    this.own = new Map(tools.map(({ name }) => [fitName(name, rule), name]));
  }

  /** The name in the provider's form. */
  write(name: string, path: string, losses: Losses): string {
    const written = fitName(name, this.rule);
    if (written !== name) {
      const why = `names here have at most ${this.rule.max} letters, digits and few other characters: written "${written}". Give \`tools\` to the function that reads it back`;
      losses.add(path, "name", why);
    }
    return written;
  }

  /** A call's id in the provider's form. */
  writeId(id: string, path: string, losses: Losses): string {
    const written = fitName(id, this.ids);
    if (written !== id)
      losses.add(path, "id", `ids here have at most ${this.ids.max} plain characters: written "${written}"`);
    return written;
  }

  /** The tool's original name. */
  read(written: string): string {
    return this.own.get(written) ?? written;
  }

  /** Remembers a call, for a result that has only its id. */
  remember(call: { id: string; name: string }): void {
    this.byId.set(call.id, call.name);
    this.open.add({ ...call });
  }

  /** Begins a new turn: results without an id no longer answer earlier calls. */
  nextTurn(): void {
    this.open.close();
  }

  /** Remembers a call that was read. A call without an id gets one from its position, the same each time. */
  readCall<Call extends { name: string }>(
    given: unknown,
    call: Call,
    path: string,
    losses: Losses,
  ): Call & { id: string } {
    const hasId = given !== undefined && given !== null;
    const read = { ...call, id: hasId ? textAt(given, path, "the call's id") : this.madeUp(path) };
    if (!hasId) losses.add(path, "id", `the call has none: generated "${read.id}"`);
    this.byId.set(read.id, read.name);
    this.open.add(read, hasId);
    return read;
  }

  /**
   * The call that a result answers: by id, or, without an id, the first call without a result. `name`: the tool's name,
   * if the result has it.
   */
  answered(given: unknown, path: string, losses: Losses, name?: string): { toolCallId: string; name: string } {
    if (given !== undefined && given !== null) {
      const id = textAt(given, path, "the id of the call that is answered");
      const call = this.byId.has(id) ? undefined : this.open.take(name, id);
      const known = this.byId.get(id) ?? call?.name ?? name;
      if (known === undefined) {
        const why = `no call with the id "${id}" comes before its result, so the tool is unknown: written as "tool"`;
        losses.add(path, "name", why);
      } else this.open.take(known, id);
      return { toolCallId: id, name: known ?? "tool" };
    }
    const call = this.open.take(name);
    const toolCallId = call?.id ?? this.madeUp(path);
    const which = call ? "is taken as the answer to the first open call" : "answers no open call";
    losses.add(path, "id", `the result has none, and ${which}: "${toolCallId}"`);
    return { toolCallId, name: call?.name ?? name ?? "tool" };
  }

  /** An id from the position, unique among the earlier calls. */
  private madeUp(path: string): string {
    let id = ["call", ...(path.match(/\d+/g) ?? [])].join("_");
    while (this.byId.has(id)) id += "_";
    return id;
  }

  /** Reports a result whose name cannot be read back, for formats that do not write it. */
  checkResult(result: { toolCallId: string; name: string }, path: string, losses: Losses): void {
    if (this.byId.get(result.toolCallId) === result.name) return;
    losses.add(
      path,
      "name",
      "results have only the call's id here, and no call of this tool with that id comes before it",
    );
  }
}
