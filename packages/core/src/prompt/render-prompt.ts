import { checkedMessages } from "../check-messages.js";
import { checkOptionNames } from "../options/option-names.js";
import { checkOptionValues } from "../options/option-rules.js";
import { preparedTools } from "../schema/prepared-tools.js";
import type { TextMessage } from "../types.js";
import { constrainTo, type RequestConstraint } from "./constrain.js";
import { type Offer, offerOf } from "./offer.js";
import type { PromptOptions, RenderPromptOptions } from "./prompt-options.js";
import { promptRules } from "./prompt-rules.js";
import { textTurnsOf } from "./text-turns.js";

/** A request to a text-only model, without sampling options. */
export interface RenderedPrompt extends RequestConstraint {
  /** At most one system message, first; then alternating user and assistant messages; the last is the user's. */
  messages: TextMessage[];
  /** The beginning of the assistant's turn. */
  prefill?: string;
  stop: string[];
}

/**
 * Converts a conversation and its tools to messages that any text-only model accepts.
 *
 * - One system message: the application's system texts, then the protocol's section on the tools.
 * - Then alternating user and assistant messages, with calls and results as text (see `textTurnsOf`).
 * - As long as tools and options stay the same, each request is a prefix of the next, so that prefix caches stay valid.
 *   Therefore the system message contains nothing that changes from turn to turn: the last user message ends with the
 *   sentence that a call is required, where only the newest turn changes (and where small models follow it best).
 * - Text of users, tools and earlier replies, and the descriptions of tools, are escaped and cannot contain a marker.
 * - `toolChoice` `required` or `{ name }` is stated in the prompt and enforced by a prefill (the beginning of a call);
 *   with `constraint`, a grammar enforces it and the prompt does not mention it.
 * - `stop`: always the openers of results; the end of a call only if `parallel` is false, because no second call could
 *   follow it.
 * - Tools may have any shape that `normalizeTools` accepts, such as with a schema of zod.
 * - Tools may change between two prompts; those of equal content are prepared once.
 *
 * Errors: `ConversationError` (`bad-message`); `ProtocolError` (`unknown-protocol`); `ToolDefinitionError`
 * (`unknown-shape`, `missing-name`, `duplicate-name`, `invalid-schema`); `RenderError` for a call of the past that the
 * protocol cannot write; `GrammarError` for a schema that admits nothing, and `unsupported` under `constraint: "required"`;
 * `OptionsError` (`bad-option`), also for a `toolChoice` that names none of the tools or requires a call without tools.
 *
 * @example
 * const question = { role: "user", content: "2 + 3?" };
 * const { messages, stop } = renderPrompt({ messages: [question], tools: [add], protocol: "hermes" });
 */
export function renderPrompt(options: RenderPromptOptions): RenderedPrompt {
  checkOptionNames(promptRules, options, "the options of renderPrompt");
  checkOptionValues(promptRules, options);
  return promptOf(options);
}

/** The same with options that are checked: unknown ones are ignored. */
export const promptOf = (options: RenderPromptOptions): RenderedPrompt => {
  // Wrong messages are reported first.
  const messages = checkedMessages(options.messages);
  // Found again by their content, as a turn's are, so that a changed list gives another prompt.
  const tools = options.tools && preparedTools(options.tools);
  const prepared = { ...options, messages, tools };
  return promptWith(offerOf(prepared), prepared);
};

/** The same with the offer of the tools and options. The messages are checked. */
export function promptWith(offer: Offer, options: ConversationOptions): RenderedPrompt {
  const { protocol, toolChoice, offered, notice } = offer;
  const { system, turns, prefill } = textTurnsOf(options.messages, {
    protocol,
    tools: options.tools ?? [],
    escaper: offer.escaper,
    prefill: options.prefill ?? true,
    transcript: options.transcript,
  });
  if (offer.section !== undefined) system.push(offer.section);
  const messages: TextMessage[] =
    system.length > 0 ? [{ role: "system", content: system.join("\n\n") }, ...turns] : turns;
  const strict = options.constraint === "required";
  const constrained =
    offered.length > 0 && options.constraint
      ? constrainTo(options.backend ?? "gbnf", {
          ...options.grammar,
          ...{ tools: offered, protocol, toolChoice, parallel: offer.several, strict },
        })
      : undefined;
  // The prompt does not repeat what a grammar enforces: with small models, the sentence costs more right calls than it
  // gains.
  const last = messages.at(-1);
  if (notice && !constrained && last) last.content += `\n\n${notice}`;
  const forced = notice && !constrained && (options.prefill ?? true) ? offer.opening : undefined;
  const begun = prefill !== undefined && forced !== undefined ? `${prefill}\n${forced}` : (prefill ?? forced);
  // Field by field: a conditional spread takes ten times as long.
  const prompt: RenderedPrompt = { messages, stop: [...offer.stop] };
  if (begun) prompt.prefill = begun;
  return constrained ? Object.assign(prompt, constrained) : prompt;
}

/** The options of a prompt that its offer does not contain. */
type ConversationOptions = Pick<
  PromptOptions,
  "messages" | "tools" | "prefill" | "transcript" | "constraint" | "backend" | "grammar"
>;
