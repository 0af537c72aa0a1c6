import { withoutMarks } from "../../common/part-marks.js";
import { isObject } from "../../common/plain-object.js";
import { type OptionRules, oneOf } from "../../options/option-rules.js";
import { escapeText } from "../../prompt/escape.js";
import { BEGIN_TEXT } from "../../prompt/text-turns.js";
import type { TextModel, ToolDefinition } from "../../types.js";
import { catalogue, lastWish } from "./select-tools.js";
import {
  type SelectedTools,
  type SelectionRequest,
  selectionRules,
  ToolSelection,
  type ToolSelectionOptions,
} from "./tool-selection.js";

/** How tools are selected for a model that may call tools natively. */
export interface ToolSelectionSettings extends Omit<ToolSelectionOptions, "by"> {
  /**
   * `auto` (default): by native tool calling if the model has it, otherwise in text. `text`: in text. `words`: by the words of
   * the last user message, without a request.
   */
  by?: "auto" | "text" | "words" | undefined;
}

/** The rules of these options. */
export const hybridSelectionRules = {
  ...selectionRules,
  by: oneOf("auto", "text", "words"),
} satisfies OptionRules<ToolSelectionSettings>;

/** The request of a selection by native tool calling. */
export interface NativeSelection {
  /** The system message. */
  instruction: string;
  /** The user message. */
  wish: string;
  /** The only tool, which must be called. */
  tool: ToolDefinition;
}

/**
 * The selection of a wrapped model's tools, over all its conversations. `select` comes before `by`.
 *
 * `ask` asks a turn's model by its native tool calling, and resolves to the arguments of the call; to `undefined` if the model
 * has no tool calling or does not use it. `Turn`: what it needs of a turn.
 *
 * Errors: `OptionsError` (`bad-option`).
 *
 * @example
 * const hybrid = new HybridSelection<Request>({ limit: 5 }, (request, { instruction, wish, tool }) => …);
 * hybrid.follow(model, request);
 * await generateWithTools({ model, messages, tools, toolSelection: hybrid.selection }).result();
 */
export class HybridSelection<Turn extends object> {
  readonly selection: ToolSelection;
  /** The turns by the function that the core calls. */
  readonly #turns = new WeakMap<TextModel, Turn>();

  constructor(
    { by = "auto", select, ...limits }: ToolSelectionSettings,
    private readonly ask: (turn: Turn, request: NativeSelection) => Promise<unknown>,
  ) {
    const natively = async (request: SelectionRequest) => {
      const selected = await select?.(request);
      return selected === undefined ? this.#natively(request) : selected;
    };
    this.selection = new ToolSelection(by === "auto" ? { ...limits, select: natively } : { ...limits, by, select });
  }

  /** Registers a turn, by its model. */
  follow(model: TextModel, turn: Turn): void {
    this.#turns.set(model, turn);
  }

  /** Whether there are enough tools to select some of them. */
  appliesTo(tools: readonly unknown[]): boolean {
    return this.selection.appliesTo(tools);
  }

  async #natively({ messages, tools, limit, model }: SelectionRequest): Promise<SelectedTools | undefined> {
    const turn = this.#turns.get(model);
    if (!turn) return undefined;
    const instruction = `You choose tools for an assistant: those that it may need to answer the user. The tools are:\n${catalogue(tools)}`;
    const wish = escapeText(withoutMarks(lastWish(messages))).trim() || BEGIN_TEXT;
    const args = await this.ask(turn, { instruction, wish, tool: selectionTool(limit) });
    if (!isObject(args) || !Array.isArray(args.names)) return undefined;
    const known = new Set(tools.map(({ name }) => name));
    return { names: args.names.filter((name): name is string => known.has(name)).slice(0, limit) };
  }
}

const selectionTool = (limit: number) => ({
  name: "select_tools",
  description: "Chooses the tools that the assistant is given; none is a choice too.",
  parameters: {
    type: "object",
    properties: { names: { type: "array", items: { type: "string" }, maxItems: limit, description: "Their names" } },
    required: ["names"],
  },
});
