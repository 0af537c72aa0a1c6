import type { LanguageModelLike } from "@langchain/core/language_models/base";
import { type AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { type SelectedTools, type SelectionRequest, type TextModel, ToolSelection } from "@toolingua/core";
import { BEGIN_TEXT, catalogue, lastWish, withoutMarks } from "@toolingua/core/adapters";
import type { BoundTool } from "../tools/tools.js";
import type { InnerModel } from "./inner-model.js";
import { NativeModel } from "./native/native-model.js";

/** How tools are selected in hybrid mode. */
export interface ToolSelectionSettings {
  /** The number of tools from which on tools are selected; fewer tools are all shown. Default 20. */
  from?: number | undefined;
  /** How many tools are selected at once. Default 8. */
  limit?: number | undefined;
  /**
   * `auto` (default): by native tool calling if the model has it, otherwise in text. `text`: in text. `words`: by the words of
   * the last user message, without a request.
   */
  by?: "auto" | "text" | "words" | undefined;
}

/** The selection of a wrapped model's tools, over all its conversations. */
export class HybridSelection {
  readonly selection: ToolSelection;
  readonly #native: NativeModel | undefined;
  /** The model of each turn, by the function that the core calls. */
  readonly #turns = new WeakMap<TextModel, InnerModel>();

  constructor(model: LanguageModelLike, { from, limit, by = "auto" }: ToolSelectionSettings) {
    this.#native = by === "auto" ? new NativeModel(model) : undefined;
    const select = (request: SelectionRequest) => this.#natively(request);
    this.selection = new ToolSelection(by === "auto" ? { from, limit, select } : { from, limit, by });
  }

  /** Registers the model of a turn. */
  follow(inner: InnerModel): void {
    this.#turns.set(inner.generate, inner);
  }

  appliesTo(tools: readonly unknown[]): boolean {
    return this.selection.appliesTo(tools);
  }

  /**
   * The names that the model passes to the one tool shown; `undefined` if it has no tool calling or does not use it.
   */
  async #natively({ messages, tools, limit, model }: SelectionRequest): Promise<SelectedTools | undefined> {
    const inner = this.#turns.get(model);
    if (!inner || !this.#native) return undefined;
    const asked = withoutMarks(lastWish(messages)).trim();
    const instruction = "You choose tools for an assistant: those that it may need to answer the user. The tools are:";
    const answer = await inner.call(
      this.#native,
      [new SystemMessage(`${instruction}\n${catalogue(tools)}`), new HumanMessage(asked || BEGIN_TEXT)],
      selectionTool(limit),
    );
    const args = (answer as Partial<AIMessage> | undefined)?.tool_calls?.[0]?.args;
    if (!Array.isArray(args?.names)) return undefined;
    const known = new Set(tools.map(({ name }) => name));
    return { names: args.names.filter((name): name is string => known.has(name as string)).slice(0, limit) };
  }
}

const selectionTool = (limit: number): BoundTool => ({
  type: "function",
  function: {
    name: "select_tools",
    description: "Chooses the tools that the assistant is given; none is a choice too.",
    parameters: {
      type: "object",
      properties: { names: { type: "array", items: { type: "string" }, maxItems: limit, description: "Their names" } },
      required: ["names"],
    },
  },
});
