import { clip } from "../common/clip.js";
import { ToolinguaError } from "../errors.js";
import { printJson } from "../schema/json.js";
import { excessOf, placeOf } from "../schema/limits.js";
import { TooCostly } from "../schema/pattern/pattern.js";
import type { GrammarGap } from "./gaps.js";

/**
 * A grammar cannot be built. Codes: `unsupported` (not yet possible), `no-tools`, `unknown-tool` (the tool choice names
 * none of the tools), `unsatisfiable` (no value matches the schema), `unenforced` and `narrowed` (the grammar would not
 * enforce the schema exactly, and the options refuse that), `bad-prefill`, `limit` (the schema is too large, see
 * `ToolDefinitionError`), `bad-grammar` (a grammar to translate cannot be read). If one
 * keyword is the cause, `keyword` names it, `path` is its JSON pointer into the schema, and `tool` is the tool whose parameters
 * contain it.
 *
 * @example
 * try { toolCallGrammar({ tools, protocol: "hermes", toolChoice: "required", onUnenforced: "error" }); }
 * catch (error) { if (error instanceof GrammarError && error.code === "unenforced") console.error(error.path); }
 */
export class GrammarError extends ToolinguaError {
  static override readonly name: string = "GrammarError";

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

/** The error that no value matches, because of one keyword. `what` completes the sentence "No …". */
export const unsatisfiable = (what: string, cause: GrammarGap, tool?: string): GrammarError =>
  new GrammarError("unsatisfiable", `No ${what}, because of ${cause.keyword} at ${JSON.stringify(cause.path)}.`, {
    ...cause,
    tool,
  });

/** What happens when a grammar does not enforce a keyword exactly. */
export interface GapPolicy {
  /** `error`: a grammar that admits violations of a keyword is refused. Default `report`. */
  onUnenforced?: "report" | "error" | undefined;
  /** `error`: a grammar that admits less than the schema is refused. Default `report`. */
  onNarrowed?: "report" | "error" | undefined;
}

/** Throws {@link GrammarError} `unenforced` or `narrowed` for the first gap that the policy refuses. */
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
  if (loose) throw new GrammarError("unenforced", `A grammar cannot enforce ${of(loose)}.`, loose);
  if (narrow) throw new GrammarError("narrowed", `The grammar would accept less than ${of(narrow)} allows.`, narrow);
}

/**
 * Runs `make` for a schema within the size limits. Patterns that take too many steps and a stack overflow are over
 * them. Errors: {@link GrammarError} `limit`.
 */
export function grammarWithinLimits<T>(schema: unknown, make: () => T, tool?: string): T {
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
    const why = error instanceof RangeError ? "it nests too deeply" : "its patterns take too many steps";
    throw new GrammarError("limit", `${of} is too large for a grammar: ${why}.`, { tool }, { cause: error });
  }
}
