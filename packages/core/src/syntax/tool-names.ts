import { NAME_CHARACTER } from "../schema/names.js";
import { bareSpelling } from "../schema/spelling.js";
import { meantSpellings } from "./spelling.js";

/** The names of the tools of a turn, compared like in the parser: see {@link meantSpellings}. */
export class ToolNames {
  private readonly exact: ReadonlySet<string>;
  private readonly spellings: ReadonlySet<string>;

  constructor(names: readonly string[]) {
    this.exact = new Set(names);
    this.spellings = new Set(names.map(bareSpelling).filter((spelling) => spelling !== ""));
  }

  get isEmpty(): boolean {
    return this.exact.size === 0;
  }

  /** Whether this is a tool's name in some spelling. */
  has(written: string): boolean {
    return this.exact.has(written) || meantSpellings(written).some((spelling) => this.spellings.has(spelling));
  }

  /** Whether a text begins with a tool's name. */
  begin(text: string): boolean {
    for (let end = 1; end <= text.length; end++) {
      if (!NAME_CHARACTER.test(text.charAt(end)) && this.has(text.slice(0, end))) return true;
    }
    return false;
  }
}
