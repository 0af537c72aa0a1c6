import { escapeRegExp } from "../../common/escape-reg-exp.js";
import { oncePerPair } from "../../common/once-per.js";
import type { Lookahead } from "../../notation/lookahead.js";
import type { ToolTable } from "../arguments/tool-table.js";

/**
 * What is around a tool's name in calls without a marker: a namespace or nothing before it; after it what the arguments
 * begin with, or other text.
 */
export interface NameStart {
  before: string;
  after: string;
}

/** What models put before the names of tools, as OpenAI's prompts do. */
const NAMESPACE = "functions.";

/** The end of a sentence; models sometimes write a name directly after it. */
const SENTENCE_END = /[.!?:…。！？]$/u;

/**
 * Finds tool names that begin calls without a marker: at the beginning of a line and, before an object on the next
 * line, directly after the end of a sentence, as in `I will look.read_meter\n{"room": "attic"}`.
 */
export class BareNames {
  private readonly names: RegExp;
  private readonly longest: number;

  /** What may come after a name, by the name with the text before it. */
  private readonly afters = new Map<string, string[]>();

  /** The search for the names of known tools; undefined without any. Cached, because every reply needs it. */
  static readonly of = oncePerPair((starts: readonly NameStart[], tools: ToolTable): BareNames | undefined => {
    const names = tools.areKnown ? tools.list.map(({ name }) => name).filter((name) => name !== "") : [];
    return names.length > 0 ? new BareNames(names, starts) : undefined;
  });

  private constructor(tools: readonly string[], starts: readonly NameStart[]) {
    for (const { before, after } of starts)
      for (const name of tools)
        for (const written of [before + name, before + NAMESPACE + name])
          this.afters.set(written, [...(this.afters.get(written) ?? []), after]);
    const alternatives = [...this.afters.keys()].sort((a, b) => b.length - a.length);
    this.names = new RegExp(
      `(?<![\\p{L}\\p{N}_-])(?:${alternatives.map(escapeRegExp).join("|")})(?![\\p{L}\\p{N}_.-])`,
      "gu",
    );
    this.longest = Math.max(...alternatives.map((name) => name.length));
  }

  /** The next index at or after `from` where a name begins, or may begin with more input; -1: there is none. */
  next(text: string, from: number, final: boolean): number {
    this.names.lastIndex = from;
    const found = this.names.exec(text)?.index ?? -1;
    if (final) return found;
    // The beginning of a longer name may contain a complete one: `v1.search` that becomes `v1.search_memory`.
    const end = found >= 0 ? found : text.length;
    for (let at = Math.max(from, text.length - this.longest); at < end; at++) {
      const isInside = at > 0 && /[\p{L}\p{N}_-]/u.test(text.charAt(at - 1));
      if (!isInside && this.begins(text.slice(at))) return at;
    }
    return found;
  }

  /** Whether a text is the beginning of a name. */
  private begins(text: string): boolean {
    for (const name of this.afters.keys()) if (name.startsWith(text)) return true;
    return false;
  }

  /** Whether a call begins at an index. `before`: the end of the text before it, or "" at the beginning of a line. */
  at(look: Lookahead, at: number, before: string): boolean {
    const { text } = look;
    const isGlued = SENTENCE_END.test(before);
    if (before !== "" && !isGlued) return false;
    this.names.lastIndex = at;
    const found = this.names.exec(text);
    const name = found?.index === at ? found[0] : text.slice(at);
    const end = at + name.length;
    const next = look.next(end);
    if (next === undefined) return false;
    const after = this.afters.get(name)?.find((one) => look.has(one, next));
    // A name that is also directly before its object is part of a longer name, as in `client.read_meter {…}`.
    if (isGlued) return after === "{" && text.slice(end, next).includes("\n");
    return after === "{" || (after !== undefined && next === end);
  }
}
