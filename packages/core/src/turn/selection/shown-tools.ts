import { OptionsError } from "../../errors.js";
import { strings } from "../../options/option-rules.js";
import type { Escaper } from "../../prompt/escape.js";
import { escapeDefinition } from "../../prompt/escape-definition.js";
import type { Protocol } from "../../protocol.js";
import { listTools } from "../../tool-text/index.js";
import type { ChatMessage, TextModel, ToolChoice, ToolDefinition, ToolStyle, Usage } from "../../types.js";
import { REQUEST_CLOSE, REQUEST_OPEN } from "./request-reader.js";
import { selectByText, selectByWords } from "./select-tools.js";
import { ToolIndex } from "./tool-index.js";
import { add, additionsTo, type Conversation, type SelectedTools, type ToolSelection } from "./tool-selection.js";

/** The tools that a turn showed. */
export interface SelectionSummary {
  /** The tools that were shown, in the order in which they were added. */
  shown: string[];
  /** The tools that were added in this turn: the model requested them, or a new user message has their words. */
  added: string[];
  /** The number of all tools. */
  of: number;
}

/** The options of {@link selectTools}. */
export interface SelectOptions {
  selection: ToolSelection;
  messages: readonly ChatMessage[];
  tools: readonly ToolDefinition[];
  toolChoice: ToolChoice;
  model: TextModel;
  protocol: Protocol;
  startWithReasoning?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** How notes on added tools are written. */
export interface NoteStyle {
  style: ToolStyle;
  /** The section on these tools as the system message has it, with the format of calls. */
  section(tools: readonly ToolDefinition[]): string;
}

/** The default of `ToolSelectionOptions.limit`. */
const LIMIT = 8;

/**
 * The tools that one turn shows: those of the conversation, or, at its beginning, those selected now. `undefined` if
 * there are few enough to show all.
 */
export async function selectTools(options: SelectOptions): Promise<ShownTools | undefined> {
  const { selection, messages, tools, toolChoice, model, protocol, startWithReasoning, signal } = options;
  const { limit = LIMIT, by, select } = selection.options;
  if (!selection.appliesTo(tools)) return undefined;
  let usage: Usage | undefined;
  const called = messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
  const withCalled = (names: readonly string[]) =>
    inOrder(tools, new Set([...names, ...called.map(({ name }) => name)]));
  let conversation = selection.recall(messages, tools);
  if (!conversation && typeof toolChoice === "object") {
    // A named tool leaves nothing to select. The selection is made in the first turn without a named tool.
    conversation = { initial: withCalled([toolChoice.name]), additions: [] };
  } else if (!conversation) {
    const request = { messages, tools, limit, model, signal };
    const selected =
      checked(await select?.(request)) ??
      (by === "words" ? selectByWords(request) : await selectByText(request, protocol, startWithReasoning));
    usage = selected.usage;
    conversation = selection.begin(messages, tools, withCalled(selected.names));
  }
  const shown = new ShownTools(tools, messages, conversation, limit, usage);
  // Words cost no request, so those of each new message count.
  if (by === "words" && !select) shown.add(selectByWords({ messages, tools, limit, model, signal }).names);
  if (typeof toolChoice === "object") shown.add([toolChoice.name]);
  // A required call needs at least one shown tool.
  if (toolChoice === "required" && shown.tools.length === 0) shown.add(tools.map(({ name }) => name));
  return shown;
}

/** The result of an application's selector. */
function checked(selected: SelectedTools | undefined): SelectedTools | undefined {
  if (selected === undefined || strings.takes(Object(selected).names)) return selected;
  const right = 'an object such as { names: ["get_weather"] }, or undefined';
  throw new OptionsError("bad-option", `\`select\` of a ToolSelection must return ${right}.`);
}

/** The names of calls; a call that could not be read may have none. */
export const namesOf = (calls: readonly { name?: string | undefined }[]): string[] =>
  calls.flatMap(({ name }) => name ?? []);

const inOrder = (tools: readonly ToolDefinition[], names: ReadonlySet<string>) =>
  tools.filter(({ name }) => names.has(name)).map(({ name }) => name);

/** The tools that are shown in one turn, which grow as the model requests more. */
export class ShownTools {
  /** Tools shown at the conversation's beginning, in the system message. */
  readonly listed: readonly ToolDefinition[];
  readonly #byName: ReadonlyMap<string, ToolDefinition>;
  readonly #added: string[] = [];

  constructor(
    private readonly all: readonly ToolDefinition[],
    private readonly messages: readonly ChatMessage[],
    private readonly conversation: Conversation,
    private readonly limit: number,
    /** The tokens of the selection, if it was made in this turn. */
    readonly usage: Usage | undefined,
  ) {
    this.#byName = new Map(all.map((tool) => [tool.name, tool]));
    this.listed = this.#definitions(conversation.initial);
  }

  /** All shown tools, in the order in which they were added. */
  get tools(): readonly ToolDefinition[] {
    const added = additionsTo(this.conversation, this.messages).flatMap(({ names }) => this.#definitions(names));
    return added.length === 0 ? this.listed : [...this.listed, ...added];
  }

  readonly isHidden = (name: string): boolean =>
    this.#byName.has(name) && !this.tools.some((tool) => tool.name === name);

  /** Shows the requested tools, by names or in words. False: no hidden tool matches. */
  grow(request: string): boolean {
    const index = ToolIndex.of(this.all);
    const named = index.named(request).filter(this.isHidden);
    return this.add(named.length > 0 ? named : index.find(request, this.limit));
  }

  /** Shows these tools too. False: none of them was hidden. */
  add(names: readonly string[]): boolean {
    const hidden = names.filter(this.isHidden);
    if (hidden.length === 0) return false;
    add(this.conversation, this.messages, hidden);
    this.#added.push(...hidden);
    return true;
  }

  /**
   * The messages, with a note on the hidden tools before the application's first message, and later tools at the
   * positions where they were added. If none is listed, the first of these notes says how tools are called.
   */
  conversationWith({ style, section }: NoteStyle, escaper: Escaper): ChatMessage[] {
    const notes = additionsTo(this.conversation, this.messages);
    const noteAt = (at: number): ChatMessage[] =>
      notes
        .filter((addition) => addition.at === at)
        .map((addition) => ({
          role: "system",
          content:
            this.listed.length === 0 && addition === notes[0]
              ? section(this.#definitions(addition.names))
              : this.#note(addition.names, style, escaper),
        }));
    const firstTurn = this.messages.findIndex(({ role }) => role !== "system");
    return [
      ...this.messages.flatMap((message, i) => [
        ...(i === firstTurn ? [this.#hiddenToolsNote()] : []),
        ...noteAt(i),
        message,
      ]),
      ...(firstTurn === -1 ? [this.#hiddenToolsNote()] : []),
      ...noteAt(this.messages.length),
    ];
  }

  summary(): SelectionSummary {
    return { shown: this.tools.map(({ name }) => name), added: [...this.#added], of: this.all.length };
  }

  #hiddenToolsNote(): ChatMessage {
    const shown = this.listed.length === 0 ? "None of them is" : "Only some of them are";
    return {
      role: "system",
      content:
        `There are ${this.all.length} tools. ${shown} shown to you. When you need one that you do not see, do not ` +
        `guess: write ${REQUEST_OPEN}what it should do, or its name${REQUEST_CLOSE} and stop. It is then shown to you.`,
    };
  }

  #note(names: readonly string[], style: ToolStyle, escaper: Escaper): string {
    const tools = this.#definitions(names).map((tool) => escapeDefinition(tool, escaper));
    return `These tools can be called as well, in the same way:\n${listTools(tools, style === "native" ? "json" : style)}`;
  }

  #definitions(names: readonly string[]): ToolDefinition[] {
    return names.map((name) => this.#byName.get(name)).filter((tool) => tool !== undefined);
  }
}
