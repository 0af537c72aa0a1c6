import type { GrammarTrigger } from "@toolingua/core/grammar";
import type { LlamaGrammar, LlamaGrammarEvaluationState, LlamaModel, Token } from "node-llama-cpp";
import type { Native } from "./native.js";
import { TokenText } from "./token-text.js";

/** How many characters of a reply are searched for a trigger: more than the longest marker. */
const WINDOW = 512;

/** node-llama-cpp's own functions on grammars, which it does not export. */
interface GrammarSteps {
  canBeNextTokenForGrammarEvaluationState(state: unknown, token: Token): boolean;
  acceptGrammarEvaluationStateToken(state: unknown, token: Token): void;
}

/**
 * A grammar that applies from a trigger on, like lazy grammars in llama.cpp's server: the text before it is
 * unconstrained. The grammar reads everything from the trigger's first group on (from the trigger's start if it has no
 * group). The last token may extend past the trigger: the part that the grammar does not allow is removed.
 */
export class LazyGrammar {
  /** The state that constrains the next token; undefined while the text is unconstrained. */
  state: LlamaGrammarEvaluationState | undefined;
  readonly #decoder: TokenText;
  readonly #patterns: readonly RegExp[];
  #seen = "";

  constructor(
    private readonly native: Native,
    private readonly model: LlamaModel,
    private readonly grammar: LlamaGrammar,
    triggers: readonly GrammarTrigger[],
    prompt: readonly Token[],
  ) {
    this.#decoder = new TokenText(model, prompt);
    this.#patterns = triggers.map(({ type, value }) => new RegExp(type === "word" ? literally(value) : value, "d"));
  }

  /** Takes the next token. Returns the tokens that replace it if the grammar allows only a part of it. */
  push(token: Token): Token[] | undefined {
    if (this.state) return undefined;
    const text = this.#decoder.push(token);
    if (text === "") return undefined;
    this.#seen += text;
    const call = this.#begun();
    if (call === undefined) {
      // The kept part must not look like the start of the reply or of a line.
      if (this.#seen.length > 2 * WINDOW) this.#seen = `x${this.#seen.slice(-WINDOW)}`;
      return undefined;
    }
    const taken = this.#start(call);
    const extra = call.length - taken;
    if (extra === 0 || extra >= text.length) return undefined;
    return this.#tokens(text.slice(0, text.length - extra));
  }

  /** The text from the start of a call on. */
  #begun(): string | undefined {
    for (const pattern of this.#patterns) {
      const found = pattern.exec(this.#seen);
      if (found) return this.#seen.slice((found.indices?.[1] ?? found.indices![0]!)[0]);
    }
    return undefined;
  }

  /** Starts the grammar with as much of the text as it allows. Returns the length of that text. */
  #start(text: string): number {
    const { LlamaGrammarEvaluationState } = this.native.module;
    const { model, grammar } = this;
    this.state = new LlamaGrammarEvaluationState({ model, grammar });
    let taken = 0;
    for (const char of text) {
      if (!this.#tokens(char).every((token) => this.#take(token))) break;
      taken += char.length;
    }
    return taken;
  }

  #take(token: Token): boolean {
    const steps = (this.native.llama as unknown as { _bindings: { AddonSampler: GrammarSteps } })._bindings
      .AddonSampler;
    const { _state } = this.state as unknown as { _state: unknown };
    if (!steps.canBeNextTokenForGrammarEvaluationState(_state, token)) return false;
    steps.acceptGrammarEvaluationStateToken(_state, token);
    return true;
  }

  #tokens(text: string): Token[] {
    return this.model.tokenize(text, false, "trimLeadingSpace");
  }
}

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
