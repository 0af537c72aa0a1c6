import { ToolinguaError } from "../errors.js";

/**
 * A grammar that cannot be made. Codes: `unsupported` (not yet possible), `no-tools`, `unknown-tool` (the tool choice
 * names none of the tools), `unsatisfiable` (no value fits the schema), `bad-prefill`.
 */
export class GrammarError extends ToolinguaError {}
