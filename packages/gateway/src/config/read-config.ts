import { readFile } from "node:fs/promises";
import { checkArgument, textOfBytes, whyNotText } from "@toolingua/core/adapters";
import { type Document, isMap, isNode, isScalar, LineCounter, parse, parseDocument, visit } from "yaml";
import { type ConfigIssue, GatewayConfigError } from "../errors.js";
import { configIssues } from "./check-config.js";
import type { GatewayConfig } from "./schema.js";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a configuration from a YAML file (JSON is YAML too), in UTF-8 or UTF-16 with a byte order mark. `${NAME}` in a value
 * is replaced by the environment variable; `${NAME:-other}` by `other` if the variable is unset or empty.
 *
 * Errors: {@link GatewayConfigError} `unreadable`, and `bad-config` with line and column.
 *
 * @example
 * const gateway = await serve(await readConfig("toolingua.yaml"));
 */
export async function readConfig(path: string): Promise<GatewayConfig> {
  const unreadable = (message: string, cause?: unknown) =>
    new GatewayConfigError("unreadable", [{ path: "", message }], { cause });
  const bytes = await readFile(path).catch((error: unknown) => {
    throw unreadable(whyUnread(path, error), error);
  });
  const wrong = whyNotText(bytes);
  if (wrong !== undefined) throw unreadable(`the file ${path} ${wrong}`);
  try {
    return parseConfig(textOfBytes(bytes));
  } catch (error) {
    if (!(error instanceof GatewayConfigError)) throw error;
    throw new GatewayConfigError(error.code, error.issues, { cause: error, file: path });
  }
}

function whyUnread(path: string, error: unknown): string {
  const { code = "unknown" } = error as { code?: string };
  if (code === "ENOENT") return `there is no file ${path}`;
  if (code === "EISDIR") return `${path} is a folder; the name of a file is needed`;
  return `the file ${path} cannot be read (${code})`;
}

/**
 * Reads a configuration from YAML text, as {@link readConfig}.
 *
 * Errors: {@link GatewayConfigError} `unreadable` if the text is not YAML; `bad-config`, with line and column;
 * `OptionsError` (`bad-option`) if it is not a string.
 *
 * @example
 * parseConfig("models: [{ name: m, upstream: { baseURL: http://localhost:8080/v1, apiKey: '${KEY}' } }]", { KEY: "sk-1" });
 */
export function parseConfig(text: string, environment: Environment = process.env): GatewayConfig {
  checkArgument("text", "string", text);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const broken = [
    ...document.errors.map(({ message, pos }) => ({ path: "", message: firstLine(message), ...at(pos[0]) })),
    ...strayAliases(document).map(({ message, offset }) => ({ path: "", message, ...at(offset) })),
  ];
  if (broken.length > 0) throw new GatewayConfigError("unreadable", broken);
  const missing: ConfigIssue[] = substitute(document, environment).map(({ name, offset }) => ({
    path: "",
    message: `there is no environment variable ${name}`,
    ...at(offset),
  }));
  const config = plainOf(document);
  const wrong = configIssues(config).map(({ steps, path, message }) => ({
    path,
    message,
    ...at(offsetOf(document, steps)),
  }));
  // A value whose variable is missing gets no second error for its type.
  const issues = missing.length > 0 ? missing : wrong;
  if (issues.length > 0) throw new GatewayConfigError("bad-config", issues);
  return config as GatewayConfig;
}

/** Aliases without an anchor: mostly unquoted text that begins with `*`. */
function strayAliases(document: Document): { message: string; offset: number }[] {
  const found: { message: string; offset: number }[] = [];
  visit(document, {
    Alias(_, node) {
      if (node.resolve(document) !== undefined) return;
      const message = `*${node.source} is a reference in YAML, to an anchor that is not there: a text with * needs quotes`;
      found.push({ message, offset: node.range?.[0] ?? 0 });
    },
  });
  return found;
}

/** The document as plain data. Errors: {@link GatewayConfigError} `unreadable` if its aliases expand without end. */
function plainOf(document: Document): unknown {
  try {
    return document.toJS();
  } catch (error) {
    const message = `its references cannot be followed: ${firstLine((error as Error).message)}`;
    throw new GatewayConfigError("unreadable", [{ path: "", message, line: 1, column: 1 }], { cause: error });
  }
}

const firstLine = (text: string) => text.split("\n")[0]!.replace(/ at line \d+, column \d+:?$/, "");

/**
 * Substitutes environment variables, and returns the unset ones. An unquoted value may become a number or a boolean.
 */
function substitute(document: Document, environment: Environment): { name: string; offset: number }[] {
  const missing: { name: string; offset: number }[] = [];
  visit(document, {
    Scalar(key, node) {
      if (key === "key" || typeof node.value !== "string" || !node.value.includes("${")) return;
      const value = node.value.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name: string, other?: string) => {
        // As in a shell: with a default, an empty variable counts as unset.
        const found = (other === undefined ? undefined : environment[name] || other) ?? environment[name];
        if (found === undefined) missing.push({ name, offset: node.range?.[0] ?? 0 });
        return found ?? "";
      });
      node.value = node.type === "PLAIN" ? plainValue(value) : value;
    },
  });
  return missing;
}

function plainValue(text: string): unknown {
  if (!/^(?:true|false|-?[0-9.]+)$/.test(text)) return text;
  const value: unknown = parse(text);
  return typeof value === "number" || typeof value === "boolean" ? value : text;
}

/** The offset of a value in the file; for a missing value, that of its parent. */
function offsetOf(document: Document, steps: readonly PropertyKey[]): number {
  const names = steps.map((step) => (typeof step === "symbol" ? String(step) : step));
  const parent = document.getIn(names.slice(0, -1), true);
  const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === names.at(-1)) : undefined;
  if (isNode(pair?.key) && pair.key.range) return pair.key.range[0];
  for (let count = names.length; count > 0; count--) {
    const node = document.getIn(names.slice(0, count), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
