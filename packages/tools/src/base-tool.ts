import type { InputOf } from "@toolingua/core";
import {
  explainInvalidArguments,
  type JsonSchema,
  normalizeTools,
  OptionsError,
  type Tool,
  ToolDefinitionError,
  type ToolExecutionContext,
  type ValidationIssue,
} from "@toolingua/core";
import {
  checkArgument,
  describeIssues,
  describeValue,
  isObject,
  RecentMap,
  untilAborted,
} from "@toolingua/core/adapters";
import { type CachedResult, cacheKey, type ToolCache } from "./cache.js";
import { markOf } from "./cache-owner.js";
import { type FailurePolicy, ToolFailure, toFailure } from "./failure.js";
import { withFixed, withoutFixed } from "./fixed-arguments.js";
import { type CacheScope, checkFields, checkLimits } from "./options.js";
import { type EnvironmentVariable, missingVariables, type ToolRequirement } from "./requirements.js";
import {
  type ArgumentsOf,
  argumentAt,
  assertSchema,
  type InputBeside,
  issueBeforeCalls,
  readBy,
  type Schema,
} from "./schema.js";
import type { ToolContext } from "./tool-context.js";
import { RunReport, type ToolEventListener } from "./tool-events.js";
import { OVERDUE, withTimeout } from "./with-timeout.js";

/** How many results a tool without a store of its own keeps. */
const KEPT = 1000;

/**
 * A tool as a class, after CrewAI's: define a name, a description, the schema of its arguments, and `_run`. It is
 * core's `Tool`, so every adapter accepts it. `S` is the schema's type, `R` the result of `_run`, `C` the context of
 * {@link withContext}, `F` the fixed arguments.
 *
 * A call proceeds as follows: the schema reads the arguments; a cached result is returned; otherwise the use is counted
 * and `_run` runs. Calls that the schema rejects or the cache answers are not counted. Once `maxUsageCount` is reached, every
 * call fails, also one that the cache could answer. Failed results are never cached.
 *
 * Errors: `ToolDefinitionError` with the code `missing-name`, `bad-name`, `missing-description`, `missing-run`,
 * `missing-schema`, `unknown-field`, `bad-usage-limit`, `bad-timeout`, `unknown-parameter`, `bad-default`,
 * `bad-partial-arguments`, `invalid-schema` or `parameters-not-object`, and `SchemaError` for an invalid `resultSchema`, when the tool is first listed
 * or called. `bad-partial-arguments` only when it is called, if the schema is of a library: only the library knows what
 * matches.
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
export abstract class BaseTool<S extends Schema = Schema, R = unknown, C = unknown, F = Record<never, never>>
  implements Tool
{
  /** Letters, digits, `_`, `-` and `.`. */
  abstract readonly name: string;
  abstract readonly description: string;
  /** The schema of the arguments. Without it, the tool has no parameters. */
  readonly argsSchema?: S | undefined;
  /** The schema of the result: a result of `_run` that does not match is a failure. */
  readonly resultSchema?: Schema | undefined;
  /**
   * Whether the result is the agent's answer: the agent ends instead of calling the model again. A failure never is.
   */
  readonly resultAsAnswer: boolean = false;
  /** How many times `_run` may run, an integer of at least 1. Default: no limit. Parallel calls respect it. */
  readonly maxUsageCount?: number | undefined;
  /**
   * The time limit of `_run` in milliseconds. Its signal is then aborted, and the call fails with `timeout`. Default:
   * no limit.
   */
  readonly timeout?: number;
  /** Arguments fixed by the application: models do not see these parameters, and cannot set them. */
  readonly partialArguments?: Partial<InputOf<S>> | undefined;
  /** Environment variables that `_run` needs: it is not called without them. */
  readonly requires?: readonly ToolRequirement[] | undefined;
  /** The store of results. Default: none, unless there is a `cacheFunction`: then the tool itself stores results. */
  readonly cache?: ToolCache | undefined;
  /**
   * The owner of cached results. Default: this object; for a method its object. Tools with the same name and scope
   * share their results, also between processes. Calls with a context ({@link withContext}) share results only within
   * one context, unless a function names the owner: synchronously, with a non-empty string.
   */
  readonly cacheScope?: CacheScope<C> | undefined;
  readonly failurePolicy: FailurePolicy = "report";
  /** Called when a run starts and ends, with its record. */
  readonly onEvent?: ToolEventListener | undefined;
  /** See core's `Tool`, also for the next three. */
  readonly needsApproval?: NonNullable<Tool["needsApproval"]>;
  readonly exclusive?: boolean;
  readonly readOnly?: boolean;
  readonly onCrash?: NonNullable<Tool["onCrash"]>;

  #used = 0;
  readonly #own: ToolCache = new RecentMap<string, CachedResult>(KEPT);
  #shown: JsonSchema | undefined;

  /** Does the work. An error that it throws or returns is a failure of the call. */
  abstract _run(args: ArgumentsOf<S>, context: ToolContext<C>): R | Promise<R>;

  /** Whether to cache this result for these arguments. Without it, all results are cached if there is a `cache`. */
  cacheFunction?(args: ArgumentsOf<S>, result: Awaited<R>): boolean | Promise<boolean>;

  /** Called with each result of `_run`. Its return value replaces the result, unless it is `undefined`. */
  onResult?(result: Awaited<R>, args: ArgumentsOf<S>, context: ToolContext<C>): unknown;

  /** The owner of the cached results. */
  protected get cacheOwner(): object {
    return this;
  }

  /** The JSON Schema of the arguments. */
  get parameters(): JsonSchema {
    return this.#checked();
  }

  #checked(): JsonSchema {
    this.#shown ??= this.#check();
    return this.#shown;
  }

  /** How many times `_run` ran since the last reset. */
  get usageCount(): number {
    return this.#used;
  }

  resetUsageCount(): void {
    this.#used = 0;
  }

  /** The variables in `requires` that are not set. */
  get missingRequirements(): EnvironmentVariable[] {
    return missingVariables(this.requires);
  }

  /**
   * Calls the tool from code. `args` are checked, so they may be untrusted.
   *
   * Errors: {@link ToolFailure}, whatever the policy; the signal's reason; `OptionsError` (`bad-option`) for a
   * `cacheScope` that does not return a string.
   */
  async run(args: InputBeside<S, F>, context: Partial<ToolContext<C>> = {}): Promise<Awaited<R>> {
    // Not `parameters`: a field of that name would hide the check.
    this.#checked();
    const told = { toolCallId: "", ...context } as ToolContext<C>;
    const report = new RunReport(this.onEvent, { tool: this.name, toolCallId: told.toolCallId, arguments: args });
    try {
      // Not even a schema or a store that never answers holds up an abort.
      const { value, outcome } = await untilAborted(() => this.#call(args, told, report), told.signal);
      report.end({ outcome, result: value });
      return value;
    } catch (error) {
      if (error instanceof ToolFailure) report.end({ outcome: "failed", failure: error });
      else if (told.signal?.aborted) report.end({ outcome: "aborted", reason: error });
      else report.end({ outcome: "failed", failure: toFailure(this.name, error, "exception") });
      throw error;
    }
  }

  /** Calls the tool for a model: as {@link run}, with failures handled by `failurePolicy`. */
  async execute(args: Record<string, unknown>, context: ToolExecutionContext): Promise<Awaited<R> | ToolFailure> {
    try {
      return await this.run(args as InputBeside<S, F>, context as Partial<ToolContext<C>>);
    } catch (error) {
      if (!(error instanceof ToolFailure) || this.failurePolicy === "throw") throw error;
      return error;
    }
  }

  async #call(
    args: InputBeside<S, F>,
    context: ToolContext<C>,
    report: RunReport,
  ): Promise<{ value: Awaited<R>; outcome: "done" | "cached" }> {
    context.signal?.throwIfAborted();
    const [missing] = this.missingRequirements;
    if (missing) throw this.#lacks(missing);
    if (this.partialArguments && !isObject(args))
      throw this.#invalidArguments(args, [
        { path: "", keyword: "type", message: `is not an object, but ${describeValue(args)}` },
      ]);
    const whole = withFixed(args, this.partialArguments);
    const read = await readBy(this.argsSchema, whole);
    if ("issues" in read) throw this.#invalidArguments(args, read.issues);
    const value = read.value as ArgumentsOf<S>;
    if (this.#spent) throw this.#limitReached();
    const cache = this.cache ?? (this.cacheFunction ? this.#own : undefined);
    const key = cache && cacheKey(this.name, this.#scope(context.context), whole);
    // A failure of the store must not fail the call, whose work may be done already.
    const spared = <T>(use: () => T | Promise<T>) => attempt(use, (error) => report.cacheFailed(error));
    const kept: unknown = cache && key !== undefined ? await spared(() => cache.get(key)) : undefined;
    if (isObject(kept)) return { value: kept.value as Awaited<R>, outcome: "cached" };
    if (kept !== undefined && kept !== null)
      report.cacheFailed(new TypeError(`The store gave ${describeValue(kept)}, and not { value } as it was set.`));
    context.signal?.throwIfAborted();
    // No await between the check and the count, so parallel calls cannot exceed the limit.
    if (this.#spent) throw this.#limitReached();
    this.#used++;
    const result = await this.#result(value, context);
    if (cache && key !== undefined) {
      await spared(async () => {
        if ((await this.cacheFunction?.(value, result)) ?? true) await cache.set(key, { value: result });
      });
    }
    return { value: result, outcome: "done" };
  }

  get #spent(): boolean {
    return this.maxUsageCount !== undefined && this.#used >= this.maxUsageCount;
  }

  /** The owner of a result. Results of another object or another user are never returned. */
  #scope(context: C): string {
    const { cacheScope } = this;
    if (typeof cacheScope === "function") return `scope ${this.#checkedScope(cacheScope(context), "gives")}`;
    const own = cacheScope === undefined ? markOf(this.cacheOwner) : `scope ${this.#checkedScope(cacheScope, "is")}`;
    if (context === undefined) return own;
    const isReference = (typeof context === "object" && context !== null) || typeof context === "function";
    // Includes the type: the user 1 is not the user "1".
    return `${own} ${isReference ? markOf(context) : `${typeof context} ${JSON.stringify(String(context))}`}`;
  }

  /** Errors: `OptionsError` (`bad-option`): a non-string would become the same text for all users. */
  #checkedScope(scope: unknown, verb: string): string {
    if (typeof scope === "string" && scope !== "") return scope;
    const shown = scope === "" ? '""' : scope instanceof Promise ? "a promise" : `${typeof scope}`;
    const message = `\`cacheScope\` of the tool "${this.name}" ${verb} a string that is not empty, not ${shown}.`;
    throw new OptionsError("bad-option", message);
  }

  async #result(args: ArgumentsOf<S>, context: ToolContext<C>): Promise<Awaited<R>> {
    const { name, timeout } = this;
    let result: unknown;
    try {
      result = await withTimeout(timeout, context.signal, async (signal) => {
        const told = signal ? { ...context, signal } : context;
        const given: Awaited<R> = await this._run(args, told);
        return given instanceof Error ? given : ((await this.onResult?.(given, args, told)) ?? given);
      });
    } catch (error) {
      throw toFailure(name, error, "exception");
    }
    if (result === OVERDUE) {
      const message = `The tool "${name}" returned no result within ${timeout} ms. It is unknown whether it took effect.`;
      throw new ToolFailure("timeout", name, message, { retryable: this.readOnly === true });
    }
    if (result instanceof Error) throw toFailure(name, result, "reported");
    const read = await readBy(this.resultSchema, result);
    if ("value" in read) return read.value as Awaited<R>;
    throw new ToolFailure(
      "invalid-result",
      name,
      `The tool "${name}" gave a result that is not what it promises:\n${describeIssues(read.issues)}`,
    );
  }

  #invalidArguments(args: unknown, issues: readonly ValidationIssue[]): ToolFailure {
    const { name, parameters: schema, partialArguments = {} } = this;
    const fixed = Object.keys(partialArguments).find((key) => issues.some(({ path }) => argumentAt(path) === key));
    if (fixed !== undefined) throw badPartialArgument(name, fixed);
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

  #lacks({ env, description }: EnvironmentVariable): ToolFailure {
    const about = description === undefined ? "" : ` (${description})`;
    const message = `The tool "${this.name}" cannot be used: the environment variable ${env}${about} is not set. Go on without it.`;
    return new ToolFailure("missing-requirement", this.name, message);
  }

  /** Checks the definition. At first use, because the fields of a subclass are set after this class's constructor. */
  #check(): JsonSchema {
    const { name, description } = this;
    const [{ parameters = true } = {}] = normalizeTools([{ name, parameters: this.argsSchema }]);
    const wrong = (code: string, message: string) => new ToolDefinitionError(code, name, message);
    if (callableName(name) !== name) {
      throw wrong("bad-name", `No model can call a tool "${name}". Name it "${callableName(name)}".`);
    }
    if (typeof description !== "string" && description != null) {
      const message = `The description of the tool "${name}" is a string, not ${describeValue(description)}.`;
      throw wrong("missing-description", message);
    }
    if (typeof description !== "string" || description.trim() === "") {
      throw wrong("missing-description", `The tool "${name}" has no description; models choose tools by it.`);
    }
    if (typeof this._run !== "function") {
      throw wrong("missing-run", `The tool "${name}" has no method \`_run\`, which does its work: _run(args) { … }.`);
    }
    checkFields(name, this);
    checkLimits(name, this.maxUsageCount, this.timeout);
    if (this.argsSchema === undefined && this.parameterCount === 1) {
      const message = `The function of the tool "${name}" takes arguments but has no schema, so models would call it without any. Add a schema, or take no arguments.`;
      throw wrong("missing-schema", message);
    }
    const { partialArguments = {} } = this;
    const issue = issueBeforeCalls(this.argsSchema ?? true, partialArguments);
    if (issue) {
      const parameter = argumentAt(issue.path);
      if (Object.hasOwn(partialArguments, parameter)) throw badPartialArgument(name, parameter);
      const message = `The default of the parameter "${parameter}" of the tool "${name}" does not match its schema: ${issue.path} ${issue.message}.`;
      throw new ToolDefinitionError("bad-default", name, message, {
        path: `/properties/${issue.path.split("/")[1]}/default`,
      });
    }
    if (this.resultSchema !== undefined) assertSchema(this.resultSchema);
    return withoutFixed(name, parameters, this.partialArguments);
  }

  /** The number of parameters of the work. If it takes arguments, it needs a schema. */
  protected get parameterCount(): number {
    return this._run.length;
  }
}

/** The error of a fixed argument. It does not show the value, which may be a secret. */
const badPartialArgument = (tool: string, argument: string) =>
  new ToolDefinitionError(
    "bad-partial-arguments",
    tool,
    `The argument "${argument}" of the tool "${tool}", which \`partialArguments\` fixes, does not match its schema.`,
  );

async function attempt<T>(use: () => T | Promise<T>, onError: (error: unknown) => void): Promise<T | undefined> {
  try {
    return await use();
  } catch (error) {
    onError(error);
    return undefined;
  }
}

/**
 * A name that models and providers can call: characters other than letters, digits, `_`, `-` and `.` become `_`.
 *
 * @example callableName("Search the web"); // "Search_the_web"
 */
export function callableName(name: string): string {
  checkArgument("name", "string", name);
  return name
    .normalize("NFC")
    .trim()
    .replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, "_");
}
