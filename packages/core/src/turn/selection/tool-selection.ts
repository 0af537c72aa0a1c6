import { RecentMap } from "../../common/recent-map.js";
import { checkOptionNames } from "../../options/option-names.js";
import { aFunction, checkOptionValues, type OptionRules, oneOf, wholeFrom } from "../../options/option-rules.js";
import type { ChatMessage, TextModel, ToolDefinition, Usage } from "../../types.js";

/** The input of a tool selector. */
export interface SelectionRequest {
  messages: readonly ChatMessage[];
  /** All tools. A model needs only their names and the first sentence of their descriptions. */
  tools: readonly ToolDefinition[];
  /** The `limit` of the options: advice to an application's own selector, whose tools are all shown. */
  limit: number;
  /** The model of the turn, for a selector that asks it. */
  model: TextModel;
  signal?: AbortSignal | undefined;
}

/** The tools that a conversation needs, judging by its beginning, and the tokens of the selection. */
export interface SelectedTools {
  names: readonly string[];
  usage?: Usage | undefined;
}

/** How tools are selected. */
export interface ToolSelectionOptions {
  /** The number of tools from which on tools are selected; fewer tools are all shown. Default 20. */
  from?: number | undefined;
  /**
   * The maximum number of tools that `by` selects at once. Default 8. Tools that are named are all shown: those that `select`
   * returns, and those that the model requests by name.
   */
  limit?: number | undefined;
  /**
   * `text` (default): the model is asked in text, in a separate request. `words`: the tools that match the words of each new
   * user message best, without a request; in benchmarks in English, those include the right tool for 89 to 99 % of the
   * questions (evals/selection).
   */
  by?: "text" | "words" | undefined;
  /**
   * A selector used instead of `by`; returns `undefined` if it cannot select. Names that no tool has are left out. It
   * receives `limit`, and may return more.
   */
  select?: ((request: SelectionRequest) => Promise<SelectedTools | undefined>) | undefined;
}

/** The rules of these options. */
export const selectionRules = {
  from: wholeFrom(0),
  limit: wholeFrom(1),
  by: oneOf("text", "words"),
  select: aFunction,
} satisfies OptionRules<ToolSelectionOptions>;

/** Tools that were added in the middle of a conversation, before the message of this number. */
interface Addition {
  at: number;
  /** The text of the message before it, because another conversation may have begun in the same way. */
  after: string;
  names: readonly string[];
}

/** The tools of one conversation: those shown from the start, and those added later. Never shrinks. */
export interface Conversation {
  initial: readonly string[];
  additions: Addition[];
}

/** The default of `from`. */
const FROM = 20;

/** The number of remembered conversations. */
const REMEMBERED = 1000;

/**
 * Shows a model with many tools only those that a conversation needs: give it to `generateWithTools` as
 * `toolSelection`, the same object for all turns and conversations. Tools are selected when a conversation begins; the model
 * can ask for more. Shown tools keep their position, and added tools come after them, so that prefix caches stay valid.
 *
 * A conversation is identified by its tools, its system messages and its first user message; the last 1000 are
 * remembered. A call is required and nothing matches: all tools are shown.
 *
 * Errors: `OptionsError` (`bad-option`).
 *
 * @example
 * const toolSelection = new ToolSelection({ limit: 5 });
 * const { toolCalls } = await generateWithTools({ model, messages, tools: twoHundredTools, toolSelection }).result();
 */
export class ToolSelection {
  readonly options: ToolSelectionOptions;
  readonly #conversations = new RecentMap<string, Conversation>(REMEMBERED);

  constructor(options: ToolSelectionOptions = {}) {
    checkOptionNames(selectionRules, options, "ToolSelection");
    checkOptionValues(selectionRules, options);
    this.options = options;
  }

  /**
   * Whether there are enough tools to select some of them: `from` or more.
   *
   * Errors: none.
   *
   * @example new ToolSelection({ from: 20 }).appliesTo([]); // false
   */
  appliesTo(tools: readonly unknown[]): boolean {
    return tools.length >= (this.options.from ?? FROM);
  }

  /** The remembered conversation that begins with these messages. */
  recall(messages: readonly ChatMessage[], tools: readonly ToolDefinition[]): Conversation | undefined {
    return this.#conversations.get(keyOf(messages, tools));
  }

  /** Begins a conversation with these tools. */
  begin(messages: readonly ChatMessage[], tools: readonly ToolDefinition[], initial: readonly string[]): Conversation {
    const conversation: Conversation = { initial, additions: [] };
    this.#conversations.set(keyOf(messages, tools), conversation);
    return conversation;
  }
}

/** Adds tools at the end of these messages. */
export function add(conversation: Conversation, messages: readonly ChatMessage[], names: readonly string[]): void {
  conversation.additions.push({ at: messages.length, after: messages.at(-1)?.content ?? "", names });
  if (conversation.additions.length > REMEMBERED) conversation.additions.shift();
}

/** The additions that belong to these messages. */
export function additionsTo({ initial, additions }: Conversation, messages: readonly ChatMessage[]): Addition[] {
  const known = new Set(initial);
  return additions
    .filter(({ at, after }) => at <= messages.length && (messages[at - 1]?.content ?? "") === after)
    .sort((a, b) => a.at - b.at)
    .map(({ names, ...place }) => ({ ...place, names: names.filter((name) => !known.has(name) && known.add(name)) }))
    .filter(({ names }) => names.length > 0);
}

function keyOf(messages: readonly ChatMessage[], tools: readonly ToolDefinition[]): string {
  const first = messages.findIndex((message) => message.role === "user");
  const begun = first === -1 ? messages : messages.slice(0, first + 1);
  const opening = begun.filter(({ role }) => role === "system" || role === "user");
  return JSON.stringify([tools.map(({ name }) => name), opening.map(({ role, content }) => [role, content])]);
}
