import { ToolinguaError } from "@toolingua/core";

/** One thing that is wrong with a configuration. */
export interface ConfigIssue {
  /** Where: `models[0].upstream.url`; empty for the configuration as a whole. */
  path: string;
  /** What is wrong, and what would be right. */
  message: string;
  /** Where in the file, counted from 1, if it was read from one. */
  line?: number;
  column?: number;
}

/**
 * A configuration that cannot be used. Codes: `bad-config`: `issues` names all that is wrong; `unreadable`: the file cannot
 * be read, or is no YAML. Keys are never part of it.
 *
 * @example
 * try { createGateway(config); }
 * catch (error) { if (error instanceof GatewayConfigError) for (const { path, message } of error.issues) console.error(path, message); }
 */
export class GatewayConfigError extends ToolinguaError {
  declare readonly code: "bad-config" | "unreadable";
  readonly issues: readonly ConfigIssue[];

  constructor(code: "bad-config" | "unreadable", issues: readonly ConfigIssue[], options?: ErrorOptions) {
    super(code, `The configuration cannot be used:\n${issues.map(shown).join("\n")}`, options);
    this.issues = issues;
  }
}

const shown = ({ path, message, line, column }: ConfigIssue) =>
  `- ${[line === undefined ? "" : `line ${line}, column ${column}:`, path && `${path}:`, message].filter(Boolean).join(" ")}`;
