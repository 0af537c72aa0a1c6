import {
  explainInvalidArguments,
  type JsonSchema,
  normalizeTools,
  type Tool,
  ToolDefinitionError,
  untilAborted,
  type ValidationIssue,
} from "@toolingua/core";
import { type CachedResult, cacheKey, spared, type ToolCache } from "./cache.js";
import { type FailurePolicy, ToolFailure, toFailure } from "./failure.js";
import { type ArgumentsOf, assertSchema, type InputOf, readBy, type Schema } from "./schema.js";

/** What a tool's function is told about its call. */
export type ToolContext = Parameters<Tool["execute"]>[1];

/**
 * A tool as a class, after CrewAI's: give it a name, a description, the schema of its arguments, and `_run`. It is core's
 * `Tool`, so every adapter takes it. `S` is the schema's type, `R` what `_run` gives.
 *
 * A call goes: the arguments are read by the schema; a result kept in the cache is given; else the use is counted and
 * `_run` runs. What the schema refuses and what the cache had is no use. A result that failed is never kept.
 *
 * Errors: `ToolDefinitionError` with the code `missing-name`, `bad-name`, `missing-description`, `bad-usage-limit`,
 * `invalid-schema` or `parameters-not-object`, and `SchemaError` for a `resultSchema` that is none, when the tool is first
 * shown or called.
 *
 * @example
 * const argsSchema = z.object({ a: z.number(), b: z.number() });
 * class Add extends BaseTool<typeof argsSchema, number> {
 *   readonly name = "add";
 *   readonly description = "Adds two numbers";
 *   override readonly argsSchema = argsSchema;
 *   _run({ a, b }: ArgumentsOf<typeof argsSchema>) { return a + b; }
 * }
 * await new Add().run({ a: 1, b: 2 }); // 3
 */
export abstract class BaseTool<S extends Schema = Schema, R = unknown> implements Tool {
  /** Letters, digits, `_`, `-` and `.`. */
  abstract readonly name: string;
  abstract readonly description: string;
  /** None: the tool has no parameters. */
  readonly argsSchema?: S | undefined;
  /** What `_run` gives is read by it, too: a result that does not fit is a failure. */
  readonly resultSchema?: Schema | undefined;
  /** The result is the answer: an agent ends with it instead of asking the model again. A failure never is. */
  readonly resultAsAnswer: boolean = false;
  /** How often `_run` may run, a whole number from 1; none: without limit. Holds under parallel calls. */
  readonly maxUsageCount?: number | undefined;
  /** Where results are kept; none: nowhere, unless there is a `cacheFunction`, whose results this tool keeps itself. */
  readonly cache?: ToolCache | undefined;
  readonly failurePolicy: FailurePolicy = "report";

  #used = 0;
  readonly #own: ToolCache = new Map<string, CachedResult>();
  #shown: JsonSchema | undefined;

  /** The work. A thrown error, and an error given back, is a failure of the call. */
  abstract _run(args: ArgumentsOf<S>, context: ToolContext): R | Promise<R>;

  /** Whether this result is kept and given again for the same arguments. Without one, all are where there is a `cache`. */
  cacheFunction?(args: ArgumentsOf<S>, result: Awaited<R>): boolean | Promise<boolean>;

  /** The JSON Schema of the arguments. */
  get parameters(): JsonSchema {
    this.#shown ??= this.#check();
    return this.#shown;
  }

  /** How often `_run` ran since the last reset. */
  get usageCount(): number {
    return this.#used;
  }

  resetUsageCount(): void {
    this.#used = 0;
  }

  /**
   * Calls the tool from code. `args` are checked, so they may come from anywhere.
   *
   * Errors: {@link ToolFailure}, whatever the policy; what the signal was aborted with.
   */
  async run(args: InputOf<S>, context: Partial<ToolContext> = {}): Promise<Awaited<R>> {
    void this.parameters;
    const { toolCallId = "", signal } = context;
    signal?.throwIfAborted();
    const read = await readBy(this.argsSchema, args);
    if ("issues" in read) throw this.#invalidArguments(args, read.issues);
    const value = read.value as ArgumentsOf<S>;
    if (this.#spent) throw this.#limitReached();
    const cache = this.cache ?? (this.cacheFunction ? this.#own : undefined);
    const key = cache && cacheKey(this.name, args);
    const kept = cache && key !== undefined && (await spared(this.name, () => cache.get(key)));
    if (kept) return kept.value as Awaited<R>;
    // Nothing is awaited between the question and the count: of parallel calls no more get through than may.
    if (this.#spent) throw this.#limitReached();
    this.#used++;
    const result = await this.#result(value, signal ? { toolCallId, signal } : { toolCallId });
    if (cache && key !== undefined) {
      await spared(this.name, async () => {
        if ((await this.cacheFunction?.(value, result)) ?? true) await cache.set(key, { value: result });
      });
    }
    return result;
  }

  /** Calls the tool for a model: as `run`, with failures by `failurePolicy`. */
  async execute(args: Record<string, unknown>, context: ToolContext): Promise<Awaited<R> | ToolFailure> {
    try {
      return await this.run(args as InputOf<S>, context);
    } catch (error) {
      if (!(error instanceof ToolFailure) || this.failurePolicy === "throw") throw error;
      if (this.failurePolicy === "warn") console.warn(`[toolingua] ${error.message}`, error.cause ?? "");
      return error;
    }
  }

  get #spent(): boolean {
    return this.maxUsageCount !== undefined && this.#used >= this.maxUsageCount;
  }

  async #result(args: ArgumentsOf<S>, context: ToolContext): Promise<Awaited<R>> {
    let result: Awaited<R>;
    try {
      result = await untilAborted(this._run(args, context), context.signal);
    } catch (error) {
      // A call that was called off did not fail.
      if (context.signal?.aborted) throw context.signal.reason;
      throw toFailure(this.name, error, "exception");
    }
    if (result instanceof Error) throw toFailure(this.name, result, "reported");
    const read = await readBy(this.resultSchema, result);
    if ("value" in read) return read.value as Awaited<R>;
    const problems = read.issues.map(({ path, message }) => `${path || "/"} ${message}`).join("\n");
    throw new ToolFailure(
      "invalid-result",
      this.name,
      `The tool "${this.name}" gave a result that is not what it promises:\n${problems}`,
    );
  }

  #invalidArguments(args: unknown, issues: readonly ValidationIssue[]): ToolFailure {
    const { name, parameters: schema } = this;
    const { feedback } = explainInvalidArguments({ name, arguments: args, issues, schema });
    return new ToolFailure("invalid-arguments", name, feedback);
  }

  #limitReached(): ToolFailure {
    const times = this.maxUsageCount === 1 ? "once" : `${this.maxUsageCount} times`;
    return new ToolFailure(
      "usage-limit",
      this.name,
      `The tool "${this.name}" could be used ${times} and has been. Do not call it again; go on without it.`,
    );
  }

  /** The fields of a subclass are set after the constructor of this class has run, so they are checked at first use. */
  #check(): JsonSchema {
    const { name, description, maxUsageCount: limit } = this;
    const [{ parameters = true } = {}] = normalizeTools([{ name, parameters: this.argsSchema }]);
    const wrong = (code: string, message: string) => new ToolDefinitionError(code, name, message);
    if (callableName(name) !== name) {
      throw wrong("bad-name", `No model can call a tool "${name}". Name it "${callableName(name)}".`);
    }
    if (typeof description !== "string" || description.trim() === "") {
      throw wrong("missing-description", `The tool "${name}" has no description; models choose tools by it.`);
    }
    if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) {
      throw wrong("bad-usage-limit", `maxUsageCount of the tool "${name}" is ${limit}; it is a whole number from 1.`);
    }
    if (this.resultSchema !== undefined) assertSchema(this.resultSchema);
    return parameters;
  }
}

/**
 * A name that models and providers can call: what is neither letter, digit, `_`, `-` nor `.` becomes `_`.
 *
 * @example callableName("Search the web"); // "Search_the_web"
 */
export const callableName = (name: string): string =>
  name
    .normalize("NFC")
    .trim()
    .replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, "_");
