import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parsedJson } from "@toolingua/core/adapters";
import { CliError } from "../terminal/errors.js";
import type { Answer } from "./answer.js";

/** What the answers in a file depend on. More questions or formats continue with the same file. */
export type ProbeIdentity = Readonly<Record<string, string | number | boolean | null>>;

/** Changed when older answers are not comparable: other questions, another judge. */
const FORMAT = "toolingua-probe-1";

/**
 * The answers so far, in a file of JSON lines: the first line describes the probe, each other is one answer. A line
 * that was truncated when the process died is ignored.
 *
 * @example
 * const state = await ProbeState.open(path, { model: "qwen3", style: "native" });
 * await state.keep("hermes", "choice-1", answer);
 */
export class ProbeState {
  readonly #path: string;
  readonly #answers = new Map<string, Answer>();
  /** Serializes the writes. */
  #last: Promise<void> = Promise.resolve();

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Opens or creates the file.
   *
   * Errors: {@link CliError} `bad-input` for a file of another probe or another kind; those of `node:fs`.
   */
  static async open(path: string, identity: ProbeIdentity): Promise<ProbeState> {
    const state = new ProbeState(path);
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    if (text === "") {
      await mkdir(dirname(path), { recursive: true });
      await appendFile(path, `${JSON.stringify({ format: FORMAT, ...identity })}\n`);
      return state;
    }
    const [head = "", ...lines] = text.split("\n");
    checkHead(path, head, identity);
    for (const line of lines) state.#read(line);
    // The next line must not continue a truncated one.
    if (!text.endsWith("\n")) await appendFile(path, "\n");
    return state;
  }

  get path(): string {
    return this.#path;
  }

  /** The number of answers. */
  get size(): number {
    return this.#answers.size;
  }

  answer(candidate: string, question: string): Answer | undefined {
    return this.#answers.get(keyOf(candidate, question));
  }

  /** Stores an answer. Resolves when it is in the file. */
  async keep(candidate: string, question: string, answer: Answer): Promise<void> {
    this.#answers.set(keyOf(candidate, question), answer);
    this.#last = this.#last.then(() =>
      appendFile(this.#path, `${JSON.stringify({ candidate, question, ...answer })}\n`),
    );
    return this.#last;
  }

  #read(line: string): void {
    const value = parsedJson(line);
    if (!isKept(value)) return;
    const { candidate, question, ...answer } = value;
    this.#answers.set(keyOf(candidate, question), answer);
  }
}

/** Deletes the answers. */
export const forget = (path: string): Promise<void> => rm(path, { force: true });

/**
 * The default file for the answers of a probe, in `probes/` of the cache. The name consists of the model's name and a
 * hash of what the answers depend on.
 */
export function statePath(model: string, identity: ProbeIdentity, cache: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify({ format: FORMAT, ...identity }))
    .digest("hex")
    .slice(0, 12);
  const name = model
    .replace(/[^\w.-]+/g, "-")
    .replace(/^\.+/, "")
    .slice(-80);
  return join(cache, "probes", `${name}-${hash}.jsonl`);
}

const keyOf = (candidate: string, question: string) => `${candidate}\n${question}`;

function checkHead(path: string, head: string, identity: ProbeIdentity): void {
  const found = parsedJson(head);
  const other = (what: string) => {
    throw new CliError("bad-input", `${path} ${what}. Give another file as --state, or --fresh to begin it anew.`);
  };
  if (typeof found !== "object" || found === null || !("format" in found)) return other("is not the state of a probe");
  if (found.format !== FORMAT) return other("was written by another version");
  for (const [key, value] of Object.entries(identity)) {
    const before: unknown = Reflect.get(found, key);
    if (before !== value)
      other(`is of a probe with another ${key}: ${JSON.stringify(before)}, not ${JSON.stringify(value)}`);
  }
}

function isKept(value: unknown): value is Answer & { candidate: string; question: string } {
  if (typeof value !== "object" || value === null) return false;
  const types = { candidate: "string", question: "string", right: "boolean", valid: "boolean" };
  const numbers = ["tokensIn", "tokensOut", "ms"].every((key) => typeof Reflect.get(value, key) === "number");
  return numbers && Object.entries(types).every(([key, type]) => typeof Reflect.get(value, key) === type);
}
