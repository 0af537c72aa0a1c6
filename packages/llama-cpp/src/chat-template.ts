import { ChatFormatError, ChatTemplate as JinjaTemplate, type TextMessage } from "@toolingua/core";
import { checkArgument, escapeRegExp } from "@toolingua/core/adapters";
import { LlamaCppError } from "./errors.js";

/** A part of a prompt. In trusted text, `<|im_end|>` and the like are control tokens; elsewhere they are plain text. */
export interface PromptPiece {
  text: string;
  trusted: boolean;
}

/** The parts of a model's vocabulary that a template needs. */
export interface TemplateVocabulary {
  /** The text of the BOS token, and of the EOS token. */
  bos?: string | undefined;
  eos?: string | undefined;
  /** Texts of the tokens that only the template may write. */
  control: readonly string[];
  /**
   * Texts of tokens that mark up content, such as `<tool_call>`. Messages may contain them, except those that this
   * template writes around every message: some files list `<start_of_turn>` here.
   */
  markup?: readonly string[] | undefined;
}

// Noncharacters: they are never part of a text (https://www.unicode.org/faq/private_use.html#noncharacters), and no
// template trims them.
const OPEN = "\uFDD0";
const CLOSE = "\uFDD1";
const MARKS = /[\uFDD0\uFDD1]/g;
const MARKED = /\uFDD0([^\uFDD1]*)\uFDD1/;

/**
 * A model's own chat template for the tokenizer: core's `ChatTemplate`, in pieces.
 *
 * A template writes message content into its markup, and a tokenizer cannot distinguish the two. So control tokens in
 * message content are marked, the template renders the marked text, and the marks split the prompt into pieces.
 * Everything else is one piece, so a prompt without such text is tokenized exactly as in training.
 *
 * @example
 * const template = new ChatTemplate(source, { control: ["<|im_start|>", "<|im_end|>"] });
 * template.render([{ role: "user", content: "What does <|im_end|> do?" }]);
 */
export class ChatTemplate {
  readonly #template: JinjaTemplate;
  readonly #guarded: RegExp | undefined;

  /** `stop`: how the next turn begins, for a model without an end-of-turn token. */
  constructor(
    source: string,
    vocabulary: TemplateVocabulary,
    readonly stop: readonly string[] = [],
  ) {
    checkArgument("source", "string", source);
    checkArgument("vocabulary", "object", vocabulary);
    checkArgument("vocabulary.control", "list", vocabulary.control);
    const config = { chat_template: source, bos_token: vocabulary.bos, eos_token: vocabulary.eos };
    this.#template = asChatTemplateError(() => new JinjaTemplate(config));
    const written = this.#writtenAround();
    this.#guarded = anyOf([
      ...vocabulary.control,
      ...(vocabulary.markup ?? []).filter((text) => written.includes(text)),
    ]);
  }

  /**
   * The prompt for the assistant's next turn, as pieces to tokenize. `prefill` is the beginning of that turn; it is
   * trusted. If the template has no system role, a system message becomes the start of the first user message. Throws
   * `chat-template` if the template rejects the messages (some require that user and assistant alternate).
   */
  render(messages: readonly TextMessage[], prefill = ""): PromptPiece[] {
    const marked = messages.map(({ role, content }) => ({ role, content: this.#mark(content) }));
    const text = asChatTemplateError(() => this.#apply(marked)) + prefill;
    return text
      .split(MARKED) // the captured pieces are the untrusted ones
      .map((piece, index) => ({ text: piece.replace(MARKS, ""), trusted: index % 2 === 0 }))
      .filter((piece) => piece.text !== "");
  }

  #mark(content: string): string {
    const clean = content.replace(MARKS, "\uFFFD");
    return this.#guarded === undefined ? clean : clean.replace(this.#guarded, (token) => OPEN + token + CLOSE);
  }

  #apply(messages: readonly TextMessage[]): string {
    return this.#template.render({ messages, tools: [], bos: true });
  }

  /** The markup that the template writes in a plain conversation. */
  #writtenAround(): string {
    try {
      return this.#apply([
        { role: "user", content: "a" },
        { role: "assistant", content: "b" },
        { role: "user", content: "c" },
      ]);
    } catch {
      return ""; // the template rejects this conversation; its control tokens are known anyway
    }
  }
}

/** Converts the template's errors to the engine's. */
function asChatTemplateError<T>(render: () => T): T {
  try {
    return render();
  } catch (cause) {
    if (!(cause instanceof ChatFormatError)) throw cause;
    throw new LlamaCppError("chat-template", cause.message, { cause });
  }
}

/** Matches any of the texts, preferring the longest. */
function anyOf(texts: readonly string[]): RegExp | undefined {
  if (texts.length === 0) return undefined;
  const longestFirst = [...texts].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map(escapeRegExp).join("|"), "g");
}
