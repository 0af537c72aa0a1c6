import type { ToolDefinition } from "../types.js";
import { Aliases, type GivenAliases, noAliases, type ToolAliases } from "./aliases.js";
import { AliasError } from "./errors.js";
import { PLAIN_NAME } from "./names.js";
import { bareSpelling } from "./spelling.js";
import { planOfTool } from "./tool-plan.js";

const known = new WeakMap<
  readonly ToolDefinition[],
  { tools: readonly ToolDefinition[]; byGiven: WeakMap<object, ToolAliases> }
>();

/**
 * Short aliases for tools and their parameters. Aliases that are given are used. The others are the initials of a tool
 * in capitals (`get_weather` → `GW`), and the first three letters or the initials of a parameter (`location` → `loc`,
 * `user_id` → `ui`), with a number if that is taken; a parameter of up to four letters keeps its name. No alias is
 * spelt like another one, like any full name but its own, or like `reserved`, so an alias or a full name is never
 * ambiguous. The same tools always have the same aliases. A tool that is added at the end changes none, unless its full
 * name is spelt like one. Without tools there are no aliases.
 *
 * Errors: {@link AliasError} for a given alias.
 *
 * @example aliasesFor([{ name: "get_weather" }], {}, "name").tools.short("get_weather"); // "GW"
 */
export function aliasesFor(tools: readonly ToolDefinition[], given: GivenAliases, reserved: string): ToolAliases {
  let memo = known.get(tools);
  // The array may have been changed since.
  if (memo?.tools.length !== tools.length || !memo.tools.every((tool, i) => tool === tools[i])) {
    memo = { tools: [...tools], byGiven: new WeakMap() };
    known.set(tools, memo);
  }
  let aliases = memo.byGiven.get(given);
  if (!aliases) {
    aliases = makeAliases(tools, given, reserved);
    memo.byGiven.set(given, aliases);
  }
  return aliases;
}

function makeAliases(tools: readonly ToolDefinition[], given: GivenAliases, reserved: string): ToolAliases {
  if (tools.length === 0) return { tools: noAliases, parameters: () => noAliases };
  const names = tools.map(({ name }) => name);
  const chosen = Object.entries(given);
  for (const [tool] of chosen) refuseUnknown("unknown-tool", "tool", tool, names);
  const parameters = new Map(
    tools.map((tool) => {
      const keys = [...planOfTool(tool).properties.keys()];
      const own = Object.entries(Object.hasOwn(given, tool.name) ? (given[tool.name]?.parameters ?? {}) : {});
      for (const [key] of own) refuseUnknown("unknown-parameter", `parameter of ${tool.name}`, key, keys);
      return [tool.name, new Namespace(keys, [reserved], `the tool ${tool.name}`).make(own, parameterAlias)];
    }),
  );
  const own = chosen.flatMap(([tool, { alias }]) => (alias === undefined ? [] : [[tool, alias] as const]));
  return {
    tools: new Namespace(names, [], "the tools").make(own, toolAlias),
    parameters: (tool) => parameters.get(tool) ?? noAliases,
  };
}

function refuseUnknown(code: string, what: string, name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  const there = names.length > 0 ? `There are: ${names.join(", ")}.` : "There are none.";
  throw new AliasError(code, `An alias is given for ${JSON.stringify(name)}, which is not a ${what}. ${there}`);
}

/** A set of names whose aliases must be distinct. */
class Namespace {
  /** The number of full names with a given bare spelling. */
  private readonly spelt = new Map<string, number>();
  private readonly taken: Set<string>;
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly names: readonly string[],
    private readonly reserved: readonly string[],
    private readonly where: string,
  ) {
    this.taken = new Set(reserved.map(bareSpelling));
    for (const name of names) this.spelt.set(bareSpelling(name), (this.spelt.get(bareSpelling(name)) ?? 0) + 1);
  }

  make(given: readonly (readonly [string, string])[], automatic: (name: string) => string[]): Aliases {
    const aliases = new Map<string, string>();
    const take = (name: string, alias: string) => {
      aliases.set(name, alias);
      this.taken.add(bareSpelling(alias));
    };
    for (const [name, alias] of given) {
      this.refuse(name, alias);
      take(name, alias);
    }
    for (const name of this.names) if (!aliases.has(name)) take(name, this.free(name, automatic(name)));
    const names = [...aliases].map(([name, alias]) => [bareSpelling(alias), name] as const);
    return new Aliases(aliases, new Map(names));
  }

  private refuse(name: string, alias: string): void {
    const said = `The alias ${JSON.stringify(alias)} for ${JSON.stringify(name)} in ${this.where}`;
    if (!PLAIN_NAME.test(alias) || bareSpelling(alias) === "") {
      const right = "it begins with a letter, and letters, digits, _ . and - follow";
      throw new AliasError("unwritable", `${said} cannot be written in a call: ${right}.`);
    }
    if (this.isFree(name, alias)) return;
    const reserved = this.reserved.length > 0 ? ` or is spelt like ${this.reserved.join(", ")}, which is reserved` : "";
    throw new AliasError("collision", `${said} is taken by another name or alias${reserved}. Choose another one.`);
  }

  private isFree(name: string, alias: string): boolean {
    const bare = bareSpelling(alias);
    const own = bareSpelling(name) === bare ? 1 : 0;
    return !this.taken.has(bare) && (this.spelt.get(bare) ?? 0) <= own;
  }

  /** The first candidate that is free, or the last one with a number. */
  private free(name: string, candidates: readonly string[]): string {
    const found = candidates.find((candidate) => this.isFree(name, candidate));
    if (found !== undefined) return found;
    const base = candidates.at(-1)!;
    for (let n = this.counts.get(base) ?? 2; ; n++) {
      if (!this.isFree(name, base + n)) continue;
      this.counts.set(base, n + 1);
      return base + n;
    }
  }
}

const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu;

const initials = (words: readonly string[]) => words.map((word) => [...word][0]).join("");

const toolAlias = (name: string): string[] => {
  const alias = initials(name.match(WORD) ?? []).toUpperCase();
  return [PLAIN_NAME.test(alias) ? alias : "T"];
};

const parameterAlias = (name: string): string[] => {
  const words = name.match(WORD) ?? [];
  const alias = (words.length > 1 ? initials(words) : [...(words[0] ?? "")].slice(0, 3).join("")).toLowerCase();
  const candidates = [PLAIN_NAME.test(alias) ? alias : "p"];
  const isShort = [...name].length <= 4 && PLAIN_NAME.test(name) && bareSpelling(name) !== "";
  return isShort ? [name, ...candidates] : candidates;
};
