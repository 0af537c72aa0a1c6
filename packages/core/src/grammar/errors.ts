import { ToolinguaError } from "../errors.js";
import { clip, printJson } from "../schema/json.js";
import { excessOf, placeOf } from "../schema/limits.js";
import { TooCostly } from "../schema/pattern/pattern.js";
import type { GrammarGap } from "./gaps.js";

/**
 * A grammar that cannot be made. Codes: `unsupported` (not yet possible), `no-tools`, `unknown-tool` (the tool choice
 * names none of the tools), `unsatisfiable` (no value fits the schema), `unenforced` and `narrowed` (the grammar would not
 * follow the schema to the letter, and the options refuse that), `bad-prefill`, `bad-option` (an option is out of its
 * range), `limit` (the schema is too large, see `ToolDefinitionError`), `bad-schema` (no JSON Schema), `bad-grammar` (a grammar to translate cannot be read). Where one keyword is to
 * blame, `path` (a JSON pointer into the schema), `keyword` and, for a tool's parameters, `tool` say which.
 */
export class GrammarError extends ToolinguaError {
  readonly path?: string | undefined;
  readonly keyword?: string | undefined;
  readonly tool?: string | undefined;

  constructor(
    code: string,
    message: string,
    where: Partial<GrammarGap> & { tool?: string | undefined } = {},
    options?: ErrorOptions,
  ) {
    super(code, message, options);
    this.path = where.path;
    this.keyword = where.keyword;
    this.tool = where.tool;
  }
}

/** What `what` names is true of no value, because of one keyword. */
export const unsatisfiable = (what: string, cause: GrammarGap, tool?: string): GrammarError =>
  new GrammarError("unsatisfiable", `No ${what}, because of ${cause.keyword} at ${JSON.stringify(cause.path)}.`, {
    ...cause,
    tool,
  });

/** What is to be done about keywords that a grammar does not follow to the letter. */
export interface GapPolicy {
  /** `error`: no grammar that admits what breaks a keyword. Default `report`. */
  onUnenforced?: "report" | "error" | undefined;
  /** `error`: no grammar that admits less than the schema. Default `report`. */
  onNarrowed?: "report" | "error" | undefined;
}

/** Throws {@link GrammarError} `unenforced` or `narrowed` where the policy forbids what was noted. */
export function checkGaps(
  { onUnenforced, onNarrowed }: GapPolicy,
  gaps: {
    unenforced: readonly (GrammarGap & { tool?: string })[];
    narrowed: readonly (GrammarGap & { tool?: string })[];
  },
): void {
  const [loose] = onUnenforced === "error" ? gaps.unenforced : [];
  const [narrow] = onNarrowed === "error" ? gaps.narrowed : [];
  const of = ({ tool, path, keyword }: GrammarGap & { tool?: string }) =>
    `${keyword} at ${JSON.stringify(path)}${tool === undefined ? "" : ` of the parameters of tool ${JSON.stringify(tool)}`}`;
  if (loose) throw new GrammarError("unenforced", `A grammar cannot hold ${of(loose)}.`, loose);
  if (narrow) throw new GrammarError("narrowed", `The grammar would admit less than ${of(narrow)} does.`, narrow);
}

/**
 * What `make` gives for a schema; with an error where the schema is too large, or leads deeper than the stack.
 * Errors: {@link GrammarError} `limit`.
 */
export function withinLimits<T>(schema: unknown, make: () => T, tool?: string): T {
  const of = tool === undefined ? "The schema" : `The schema of tool ${printJson(clip(tool, 120))}`;
  const excess = excessOf(schema);
  if (excess)
    throw new GrammarError("limit", `${of} is too large for a grammar: ${placeOf(excess)} ${excess.message}.`, {
      path: excess.path,
      keyword: "schema",
      tool,
    });
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError) && !(error instanceof TooCostly)) throw error;
    const why = error instanceof RangeError ? "it leads too deep to be followed" : "its patterns take too many steps";
    throw new GrammarError("limit", `${of} is too large for a grammar: ${why}.`, { tool }, { cause: error });
  }
}
