import { bareSpelling } from "./spelling.js";

/** Aliases chosen by the application, by the full names of tools and parameters. The others are generated. */
export interface GivenAliases {
  readonly [tool: string]: {
    readonly alias?: string | undefined;
    readonly parameters?: { readonly [parameter: string]: string } | undefined;
  };
}

/** Maps names to short names, and back. */
export class Aliases {
  constructor(
    private readonly byName: ReadonlyMap<string, string> = new Map(),
    /** By the alias in bare spelling, so that any case of it is recognised. */
    private readonly names: ReadonlyMap<string, string> = new Map(),
  ) {}

  /** The alias of a name, or the name itself if it has none. */
  short(name: string): string {
    return this.byName.get(name) ?? name;
  }

  /** The name of an alias; any other text is returned as it is. */
  long(written: string): string {
    return this.names.size === 0 ? written : (this.names.get(bareSpelling(written)) ?? written);
  }
}

/** No aliases: every name is its own. */
export const noAliases = new Aliases();

/** The aliases of some tools, and of the parameters of each. */
export interface ToolAliases {
  tools: Aliases;
  parameters(tool: string): Aliases;
}
