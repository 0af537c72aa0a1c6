import { oncePer } from "../common/once-per.js";
import { refusalMessage, refusalOf, type ToolRefusal } from "./refusal.js";

/** What a model refused of native tool calling. */
class Refusals {
  readonly #known = new Set<ToolRefusal>();

  /** Whether the model refuses a request with tools. `isForced`: the request requires a call. */
  refuses(isForced: boolean): boolean {
    return this.#known.has("tools") || (isForced && this.#known.has("choice"));
  }

  /** Remembers an error if it is a refusal, see {@link remember}. Returns whether it is one. */
  rememberError(error: unknown, name: string | undefined): boolean {
    const refusal = refusalOf(error);
    if (refusal) this.remember(refusal, refusalMessage(error), name);
    return refusal !== undefined;
  }

  /** Remembers a refusal, and logs it with `console.warn` the first time. `message`: the model's; `name`: its name. */
  remember(refusal: ToolRefusal, message: string, name = "The model"): void {
    if (this.#known.has(refusal)) return;
    this.#known.add(refusal);
    const what = refusal === "tools" ? "takes no tools" : "takes no tool choice";
    console.warn(`[toolingua] ${name} ${what}; from now on it is prompted for its calls. It said: ${message}`);
  }
}

/**
 * The refusals of a model, for the lifetime of the model object, whoever wraps it.
 *
 * Errors: none.
 *
 * @example
 * if (refusalsOf(model).refuses(false)) return askByPrompt();
 * try { return await model.bindTools(tools).invoke(messages); }
 * catch (error) { if (!refusalsOf(model).rememberError(error, "gemma3")) throw error; }
 */
export const refusalsOf = oncePer((_model: object) => new Refusals());
