import type { Input } from "../../notation/input.js";
import { readStrictJson } from "../../notation/json/read-json.js";
import { trimLayout } from "../../notation/markup/markup.js";
import { type Element, type ElementReading, readAttribute, readElements } from "../../notation/markup/nested.js";
import { listOf } from "../../schema/admits.js";
import { noAliases } from "../../schema/aliases.js";
import { anyPlan, declares, type Plan, property } from "../../schema/plan.js";
import type { RepairCode } from "../../types.js";
import { ARGUMENT_KEYS } from "../arguments/call-keys.js";
import type { Emitter } from "../arguments/emitter.js";
import type { TagShape } from "./tag-shape.js";
import { readingOf, type WholePlace, wholeElements } from "./whole-elements.js";

/** Characters that occur in a name only if the schema declares it. */
const NO_NAME = /[\s"'=<>\\]/;

/** Whether an element may be the arguments' object of another format. */
export const isWrapper = (name: string): boolean => ARGUMENT_KEYS.has(name);

/** A tag as far as its name; the longest name of that object is shorter. */
const BEGINNING = /<([\p{L}\p{N}_.:｜▁-]{0,32})/uy;

/** Whether the tag at an index, or the beginning of one at the end of the text, may be such an element's. */
export function wrapperBegins(text: string, at: number): boolean {
  BEGINNING.lastIndex = at;
  const [tag, name = ""] = BEGINNING.exec(text) ?? [];
  return tag !== undefined && (at + tag.length === text.length || isWrapper(name));
}

/** A given argument: its name, and the plan of its value. */
export interface ArgumentOfElement {
  key: string;
  plan: Plan;
  /** Whether the schema declares it. */
  isKnown: boolean;
  /** Whether it is the wrapper of all arguments instead of one argument. */
  wraps: boolean;
}

/** A list whose items are an element each. `written`: how many of them are. */
interface List {
  key: string;
  plan: Plan;
  elements: Element[];
  written: number;
}

/** Callbacks for repairs, and for problems that cannot be repaired. */
export interface ArgumentNotes {
  repaired(code: RepairCode): void;
  rejected(reason: string): void;
}

/**
 * The arguments of a call with one element each, coerced to the schema. Elements of the same name form one list, if the
 * schema asks for a list.
 */
export class ElementArguments {
  /** The keys read so far. */
  readonly given = new Set<string>();
  /** The lists by name, and the one that may continue. */
  private lists: Map<string, List> | undefined;
  private list: List | undefined;
  readonly reading: ElementReading & { dropped(): void };
  /** The argument being written. */
  private key = "";
  /** Whether all arguments were taken at once. */
  private isWhole = false;

  constructor(
    shape: Pick<TagShape, "leaf" | "endNewlineIsLayout">,
    readonly plan: Plan,
    private readonly emitter: Emitter,
    private readonly notes: ArgumentNotes,
    /** Aliases of the arguments. */
    private readonly aliases = noAliases,
  ) {
    const { decode, endNewlineIsLayout } = readingOf(shape);
    this.reading = {
      decode,
      endNewlineIsLayout,
      dropped: () => notes.repaired("dropped-attribute"),
      contradicted: () => notes.rejected(`${JSON.stringify(this.key)} has two values`),
    };
  }

  /** Takes all arguments at once, if all were received and can be: see {@link wholeElements}. */
  takeWhole(input: Input, { shape, closes }: Pick<WholePlace, "shape" | "closes">): boolean {
    const { plan, reading, emitter } = this;
    if (!emitter.takesWhole || this.aliases !== noAliases) return false;
    const found = wholeElements(input.text, input.pos, { shape, closes, plan, reading });
    if (!found) return false;
    emitter.writeWhole(found.value, () => JSON.stringify(found.value));
    input.pos = found.end;
    this.isWhole = true;
    return true;
  }

  /** Whether the schema declares an argument of this name. */
  knows(key: string): boolean {
    return declares(this.plan, this.aliases.long(key));
  }

  /** Begins an argument after its tag; `isEmpty`: the tag closed itself. */
  begin(written: string, isEmpty: boolean): ArgumentOfElement {
    const local = written.slice(written.indexOf(":") + 1);
    const key = local !== written && !this.knows(written) && this.knows(local) ? local : written;
    const { properties } = this.plan;
    const found = property(this.plan, this.aliases.long(key));
    const isUndeclared = properties.size > 0 && !(found && properties.has(found.key));
    // One element around all arguments, as in other formats.
    const wraps = isUndeclared && !isEmpty && this.given.size === 0 && isWrapper(key);
    this.given.add(key);
    if (isUndeclared && NO_NAME.test(key)) this.notes.rejected(`${JSON.stringify(key)} is not an argument`);
    const plan = wraps ? this.plan : (found?.plan ?? anyPlan);
    if (this.list && (this.list.key !== key || !listOf(plan))) this.flush();
    return { key, plan, isKnown: found !== undefined, wraps };
  }

  /** Writes a value whose text is complete. */
  take(key: string, plan: Plan, element: Element): void {
    if (!listOf(plan)) return this.write(key, plan, [element]);
    this.lists ??= new Map();
    this.list = this.lists.get(key) ?? { key, plan, elements: [], written: 0 };
    this.lists.set(key, this.list);
    this.list.elements.push(element);
  }

  /** Writes a value that is marked as text: a string, unless the schema asks for another type. */
  takeText(key: string, raw: string): void {
    this.emitter.key(key);
    this.emitter.write(this.reading.decode(trimLayout(raw, this.reading.endNewlineIsLayout)));
  }

  /** Writes a string that is in JSON, if it is a whole one: quotes around a part of a text are its own. */
  takeQuoted(key: string, plan: Plan, raw: string): void {
    const value = readStrictJson(raw.trim());
    if (typeof value === "string") this.takeAll({ [key]: value });
    else this.take(key, plan, { raw });
  }

  /** Writes a value from an attribute of the tag. */
  takeAttribute(key: string, plan: Plan, text: string): void {
    this.emitter.key(key);
    this.emitter.write(readAttribute(text, plan));
  }

  /** Writes several arguments. */
  takeAll(args: Record<string, unknown>): void {
    for (const [key, value] of Object.entries(args)) {
      this.given.add(key);
      this.emitter.key(key);
      this.emitter.write(value);
    }
  }

  /** Completes the arguments. */
  finish(): void {
    if (this.isWhole) return;
    this.flush();
    for (const list of this.lists?.values() ?? []) this.writeList(list);
    this.emitter.end("object");
  }

  /** Writes the list that may continue, at the place of its key. Items after another argument are written at the end. */
  private flush(): void {
    if (this.list?.written === 0) this.writeList(this.list);
    this.list = undefined;
  }

  private writeList(list: List): void {
    const { key, plan, elements, written } = list;
    if (written < elements.length) this.write(key, plan, elements);
    list.written = elements.length;
  }

  private write(key: string, plan: Plan, elements: readonly Element[]): void {
    this.key = key;
    this.emitter.key(key);
    this.emitter.write(readElements(elements, plan, this.reading));
  }
}
