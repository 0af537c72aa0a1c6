import { isObject } from "../common/plain-object.js";
import { ToolinguaError } from "../errors.js";
import { checkOptionNames } from "../options/option-names.js";
import { checkOptionValues } from "../options/option-rules.js";
import type { Protocol } from "../protocol.js";
import { everyProtocol, getProtocol } from "../protocols/index.js";
import { checkNames } from "../schema/check-names.js";
import type { TextMessage, ToolChoice, ToolDefinition } from "../types.js";
import { checkMessages } from "./check-messages.js";
import { constrainTo, type RequestConstraint } from "./constrain.js";
import { createEscaper, guardedWith } from "./escape.js";
import { foldConversation } from "./fold.js";
import { callOpening, forcedTool, toolChoiceNotice } from "./force.js";
import type { RenderPromptOptions } from "./prompt-options.js";
import { promptRules } from "./prompt-rules.js";
import { toolSection } from "./tool-section.js";

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
 * - Then alternating user and assistant messages, with calls and results as text (see `foldConversation`).
 * - As long as tools and options stay the same, each request is a prefix of the next, so that prefix caches stay valid.
 *   Therefore the system message contains nothing that changes from turn to turn: the last user message ends with the
 *   sentence that a call is required, where only the newest turn changes (and where small models follow it best).
 * - Text of users, tools and earlier replies, and the descriptions of tools, are escaped and cannot contain a marker.
 * - `toolChoice` `required` or `{ name }` is stated in the prompt and enforced by a prefill (the beginning of a call);
 *   with `constraint`, a grammar enforces it and the prompt does not mention it.
 * - `stop`: always the openers of results; the end of a call only if `parallel` is false, because no second call could
 *   follow it.
 *
 * Errors: `ConversationError` (`bad-message`); `ProtocolError` (`unknown-protocol`); `ToolDefinitionError`
 * (`missing-name`, `duplicate-name`); `ToolinguaError` `bad-tool-choice`, and `unknown-tool` when `toolChoice` names
 * none of the tools; `RenderError` for a call of the past that the protocol cannot write; `GrammarError` for a schema
 * that admits nothing, and `unsupported` under `constraint: "required"`; `OptionsError` (`bad-option`).
 *
 * @example
 * const { messages, stop } = renderPrompt({ messages: [{ role: "user", content: "2 + 3?" }], tools: [add], protocol: "hermes" });
 */
export function renderPrompt(options: RenderPromptOptions): RenderedPrompt {
  checkOptionNames(promptRules, options, "the options of renderPrompt");
  checkOptionValues(promptRules, options);
  return promptOf(options);
}

/**
 * The same with options that are checked: unknown ones are ignored. `callable`: the names of all tools that the reply may
 * call, also of those that are not shown. Their markers are broken too.
 */
export function promptOf(options: RenderPromptOptions, callable?: readonly string[]): RenderedPrompt {
  checkMessages(options.messages);
  const protocol = getProtocol(options.protocol ?? "xml");
  const { tools = [], toolChoice = "auto", style = "native" } = options;
  const parallel = (options.parallel ?? true) && protocol.syntax.parallel;
  // A named tool is called once. The system message does not mention it, because it must not change from turn to turn.
  const several = parallel && (options.parallel ?? typeof toolChoice !== "object");
  const offered = offeredTools(tools, toolChoice);
  const guard = guardedWith(protocol, options.guard ?? everyProtocol);
  const guarded = { markers: options.markers, tools: callable ?? tools.map(({ name }) => name) };
  const escaper = createEscaper(guard, guarded);

  const { system, turns, prefill } = foldConversation(options.messages, {
    protocol,
    tools,
    escaper,
    prefill: options.prefill ?? true,
    transcript: options.transcript,
  });
  const listed = offered.length > 0 ? (options.listed ?? offered) : [];
  if (listed.length > 0) {
    const definitions = createEscaper(guard, { ...guarded, definitionsIn: protocol });
    system.push(toolSection(protocol, listed, { style, toolChoice, parallel }, definitions));
  }
  const messages: TextMessage[] =
    system.length > 0 ? [{ role: "system", content: system.join("\n\n") }, ...turns] : turns;

  const notice = offered.length > 0 ? toolChoiceNotice(toolChoice, protocol, offered) : undefined;
  const strict = options.constraint === "required";
  const constrained =
    offered.length > 0 && options.constraint
      ? constrainTo(options.backend ?? "gbnf", {
          ...options.grammar,
          ...{ tools: offered, protocol, toolChoice, parallel: several, strict },
        })
      : undefined;
  // The prompt does not repeat what a grammar enforces: with small models, the sentence costs more right calls than it
  // gains.
  const last = messages.at(-1);
  if (notice && !constrained && last) last.content += `\n\n${notice}`;
  const forced =
    notice && !constrained && (options.prefill ?? true)
      ? callOpening(protocol, offered, forcedTool(toolChoice, offered))
      : undefined;
  const begun = [prefill, forced].filter((part) => part !== undefined).join("\n");
  // Field by field: a conditional spread takes ten times as long.
  const prompt: RenderedPrompt = { messages, stop: offered.length > 0 ? stopSequences(protocol, several) : [] };
  if (begun) prompt.prefill = begun;
  return constrained ? Object.assign(prompt, constrained) : prompt;
}

/**
 * The tools that the prompt offers.
 *
 * Errors: `ToolDefinitionError` (`missing-name`, `duplicate-name`); `ToolinguaError` `bad-tool-choice`, and
 * `unknown-tool` if none of them has the given name.
 */
export function offeredTools(tools: readonly ToolDefinition[], toolChoice: ToolChoice): readonly ToolDefinition[] {
  checkNames(tools);
  checkToolChoice(toolChoice);
  const offered = toolChoice === "none" ? [] : tools;
  if (typeof toolChoice !== "object" || offered.some((tool) => tool.name === toolChoice.name)) return offered;
  const names = offered.map((tool) => tool.name).join(", ") || "none";
  throw new ToolinguaError("unknown-tool", `toolChoice names "${toolChoice.name}"; the tools are: ${names}.`);
}

function checkToolChoice(choice: unknown): void {
  if (choice === "auto" || choice === "none" || choice === "required") return;
  if (isObject(choice) && typeof choice.name === "string") return;
  throw new ToolinguaError(
    "bad-tool-choice",
    `toolChoice is "auto", "none", "required" or { name }, not ${JSON.stringify(choice)}. readToolChoice() reads the forms of providers.`,
  );
}

/** The protocol's stop sequences; with `parallel` without the end of a call, which would cut off further calls. */
export function stopSequences(protocol: Protocol, parallel: boolean): string[] {
  const { call, stop = [] } = protocol.syntax;
  const end = call.at(-1);
  return stop.filter((sequence) => !parallel || typeof end !== "string" || !end.includes(sequence));
}
