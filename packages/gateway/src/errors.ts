import { ToolinguaError } from "@toolingua/core";

/** One problem in a configuration. */
export interface ConfigIssue {
  /** The path of the value: `models[0].upstream.baseURL`; empty for the configuration as a whole. */
  path: string;
  /** What is wrong, and what would be right. */
  message: string;
  /** Line in the file, counted from 1. Absent if the configuration was not read from a file. */
  line?: number;
  column?: number;
}

/**
 * An unusable configuration. Codes: `bad-config`: `issues` lists every problem; `unreadable`: the file cannot be read
 * or is not YAML. The error never contains keys.
 *
 * @example
 * try { createGateway(config); }
 * catch (error) { if (error instanceof GatewayConfigError) for (const { path, message } of error.issues) console.error(path,
 * message); }
 */
export class GatewayConfigError extends ToolinguaError {
  static override readonly name: string = "GatewayConfigError";

  declare readonly code: "bad-config" | "unreadable";
  readonly issues: readonly ConfigIssue[];

  /** `file`: where the configuration was read from. */
  constructor(
    code: "bad-config" | "unreadable",
    issues: readonly ConfigIssue[],
    { file, ...options }: ErrorOptions & { file?: string } = {},
  ) {
    const what = file === undefined ? "The configuration" : `The configuration in ${file}`;
    super(code, `${what} cannot be used:\n${issues.map(shown).join("\n")}`, options);
    this.issues = issues;
  }
}

const shown = ({ path, message, line, column }: ConfigIssue) =>
  `- ${[line === undefined ? "" : `line ${line}, column ${column}:`, path && `${path}:`, message].filter(Boolean).join(" ")}`;
