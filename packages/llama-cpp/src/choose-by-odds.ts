import {
  type ChatMessage,
  type ProtocolName,
  renderPrompt,
  type ToolDefinition,
  type ToolStyle,
} from "@toolingua/core";
import { toolCallGrammar } from "@toolingua/core/grammar";
import type { LlamaCppEngine } from "./engine/engine.js";
import { LlamaCppError } from "./errors.js";

/** What {@link chooseByOdds} decides about. */
export interface OddsOptions {
  /** The conversation, without worked examples: with them, the odds no longer depend on the question. */
  messages: readonly ChatMessage[];
  tools: readonly ToolDefinition[];
  /** As in the turn. Default `xml`. */
  protocol?: ProtocolName | undefined;
  style?: ToolStyle | undefined;
  /** The least odds for a call. Default 0: a call must be likelier than after a question without content. */
  threshold?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** A decision, and what it is based on. */
export interface ChoiceByOdds {
  toolChoice: "required" | "none";
  /** The log-odds of beginning a call, less those after a question without content. */
  odds: number;
}

/** A question without content: what remains of the odds comes from the tools and the prompt, and not from the question. */
const CONTENT_FREE = "N/A";

/**
 * Decides between a call and an answer in words, for models that are too small to do so in their reply: by the model's own odds of
 * beginning a call, calibrated by a question without content (Zhao et al., "Calibrate Before Use", 2021). Two prompts are read, of
 * which the second shares all but the question; nothing is generated.
 *
 * Errors: `unsupported-message` if the last message is not the user's, as after a result; `bad-option` for a protocol whose calls
 * begin with no fixed marker; those of `renderPrompt`, `toolCallGrammar` and `LlamaCppEngine.logProbability`.
 *
 * @example
 * const { toolChoice } = await chooseByOdds(engine, { messages, tools, protocol: "hermes" });
 * const turn = generateWithTools({ model, messages, tools, toolChoice, protocol: "hermes", constraint: "required" });
 */
export async function chooseByOdds(engine: LlamaCppEngine, options: OddsOptions): Promise<ChoiceByOdds> {
  const { messages, tools, protocol = "xml", style, threshold = 0, signal } = options;
  const question = messages.at(-1);
  if (question?.role !== "user") {
    const found = question === undefined ? "there is none" : `it is one of the role ${question.role}`;
    throw new LlamaCppError("unsupported-message", `The last message must be the user's, but ${found}.`);
  }
  const marker = markerOf(tools, protocol);
  const oddsOf = async (asked: readonly ChatMessage[]) => {
    const prompt = renderPrompt({ messages: asked, tools, protocol, ...(style && { style }) });
    const log = await engine.logProbability({ messages: prompt.messages, prefill: prompt.prefill, signal }, marker);
    return logOdds(log);
  };
  const before = messages.slice(0, -1);
  const empty = await oddsOf([...before, { ...question, content: CONTENT_FREE }]);
  const odds = (await oddsOf(messages)) - empty;
  return { toolChoice: odds >= threshold ? "required" : "none", odds };
}

/** What a call begins with. */
function markerOf(tools: readonly ToolDefinition[], protocol: ProtocolName): string {
  const { triggers = [] } = toolCallGrammar({ tools, protocol, toolChoice: "auto", lazy: true });
  const [first] = triggers;
  if (first?.type === "word") return first.value;
  throw new LlamaCppError("bad-option", `Calls of the protocol ${protocol} begin with no fixed marker.`);
}

/** The log-odds of an event, by its log-probability. */
const logOdds = (log: number) => log - Math.log(-Math.expm1(Math.min(log, -Number.EPSILON)));
