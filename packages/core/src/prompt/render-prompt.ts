import { ToolinguaError } from "../errors.js";
import type { ToolCallGrammarOptions } from "../grammar/index.js";
import { isObject } from "../plain-object.js";
import type { Protocol, ToolStyle } from "../protocol.js";
import { everyProtocol, getProtocol, type ProtocolName } from "../protocols/index.js";
import { checkNames } from "../schema/check-names.js";
import type { ChatMessage, TextMessage, ToolChoice, ToolDefinition } from "../types.js";
import { checkMessages } from "./check-messages.js";
import { createEscaper, guardedWith } from "./escape.js";
import { foldConversation } from "./fold.js";
import { callOpening, forcedTool, toolChoiceNotice } from "./force.js";
import { type ConstraintTarget, type Hold, holdTo } from "./hold.js";
import { toolSection } from "./tool-section.js";
import type { TranscriptRenderer } from "./transcript.js";

/** What {@link renderPrompt} takes. */
export interface RenderPromptOptions {
  messages: readonly ChatMessage[];
  tools?: readonly ToolDefinition[] | undefined;
  /** Those of the tools that the system message lists, where the messages themselves show the others. Default: all. */
  listed?: readonly ToolDefinition[] | undefined;
  /** Default `auto`. `none`: the tools are not offered, though calls and results of the past are still shown. */
  toolChoice?: ToolChoice | undefined;
  /** Default `xml`. */
  protocol?: ProtocolName | Protocol | undefined;
  /** How tools are shown. Default `native`, the protocol's own way. */
  style?: ToolStyle | undefined;
  /** Whether the model may make several calls in one reply. Default: whether the protocol can; one tool that is named is called once. */
  parallel?: boolean | undefined;
  /** Whether the model takes a prefill, the beginning of its own turn. Default `true`. */
  prefill?: boolean | undefined;
  /**
   * Whether the reply is held to calls. One that `toolChoice` forces needs no prefill then. Default `false`. A protocol
   * for which there is no grammar goes without; `required`: that is an error where a call is forced.
   */
  constraint?: boolean | "required" | undefined;
  /** What holds it: `gbnf` (default), a grammar for the model as `constraint`; a server, by the request's `fields`. */
  backend?: ConstraintTarget | undefined;
  /** What else the grammar is to hold the reply to. */
  grammar?:
    | Pick<ToolCallGrammarOptions, "maxUnordered" | "maxStringLength" | "maxItems" | "maxDepth" | "maxCalls">
    | undefined;
  /** Protocols whose markers untrusted text must not hold, besides `protocol`. Default: all, which the parser understands. */
  guard?: readonly Protocol[] | undefined;
  /** More that untrusted text must not hold, such as the signs of the model's own chat template. */
  markers?: readonly string[] | undefined;
  /**
   * Writes what was said as one text, in place of messages in turn, such as `pmlTranscript()` of `@toolingua/pml`. Default: messages in
   * turn.
   */
  transcript?: TranscriptRenderer | undefined;
}

/** A request to a text-only model, but for its sampling. */
export interface RenderedPrompt extends Hold {
  /** At most one system message, first; then user and assistant in turn, ending with user. */
  messages: TextMessage[];
  /** What the assistant's turn is to begin with. */
  prefill?: string;
  stop: string[];
}

/**
 * Turns a conversation and its tools into messages that any text-only model takes.
 *
 * - One system message: the application's system texts, then the protocol's section on the tools.
 * - Then user and assistant in turn, ending with user. Calls and results are text in them (see `foldConversation`).
 * - As long as tools and options stay the same, what was sent before is a prefix of what is sent next, so that prefix
 *   caches keep hitting. Therefore nothing that changes by the turn stands in the system message: that a call is
 *   required is said at the end of the last user message, where only the newest turn changes (and where small models
 *   heed it most).
 * - Text of users, tools and earlier replies, and the descriptions of tools, cannot speak a protocol that has markers: it is escaped.
 * - `toolChoice` `required` or `{ name }` is said, and enforced by a prefill (how the protocol's calls begin); with
 *   `constraint` a grammar enforces it and nothing is said.
 * - `stop`: openers of results always; a stop sequence that is a call's own end only when `parallel` is false, for a
 *   second call could not follow it.
 *
 * Errors: `ConversationError` (`bad-message`); `ProtocolError` (`unknown-protocol`); `ToolDefinitionError` (`missing-name`,
 * `duplicate-name`); `ToolinguaError` `bad-tool-choice`, and `unknown-tool` when `toolChoice` names none of the tools; `RenderError` for a call of the past that the protocol cannot write; `GrammarError` for a schema that admits
 * nothing, and `unsupported` under `constraint: "required"`.
 *
 * @example
 * const { messages, stop } = renderPrompt({ messages: [{ role: "user", content: "2 + 3?" }], tools: [add], protocol: "hermes" });
 */
export function renderPrompt(options: RenderPromptOptions): RenderedPrompt {
  checkMessages(options.messages);
  const protocol = getProtocol(options.protocol ?? "xml");
  const { tools = [], toolChoice = "auto", style = "native" } = options;
  const parallel = (options.parallel ?? true) && protocol.syntax.parallel;
  // One tool that is named is called once; the system message says nothing of it, for it must not change by the turn.
  const several = parallel && (options.parallel ?? typeof toolChoice !== "object");
  const offered = offeredTools(tools, toolChoice);
  const guard = guardedWith(protocol, options.guard ?? everyProtocol);
  const guarded = { markers: options.markers, tools: tools.map(({ name }) => name) };
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
  const hold =
    offered.length > 0 && options.constraint
      ? holdTo(options.backend ?? "gbnf", {
          ...options.grammar,
          ...{ tools: offered, protocol, toolChoice, parallel: several, strict },
        })
      : undefined;
  // What a grammar enforces need not be said: the sentence costs small models more right calls than it gains.
  const last = messages.at(-1);
  if (notice && !hold && last) last.content += `\n\n${notice}`;
  const forced =
    notice && !hold && (options.prefill ?? true)
      ? callOpening(protocol, offered, forcedTool(toolChoice, offered))
      : undefined;
  const begun = [prefill, forced].filter((part) => part !== undefined).join("\n");
  return {
    messages,
    ...(begun ? { prefill: begun } : {}),
    stop: offered.length > 0 ? stopSequences(protocol, several) : [],
    ...hold,
  };
}

/**
 * The tools the model is told of.
 *
 * Errors: `ToolDefinitionError` (`missing-name`, `duplicate-name`); `ToolinguaError` `bad-tool-choice`, and `unknown-tool`
 * when none of them is the one that is named.
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
    `toolChoice is "auto", "none", "required" or { name }, not ${JSON.stringify(choice)}. readToolChoice() reads what providers call it.`,
  );
}

/** The protocol's stop sequences; one that is the call's own end would cut off every call after the first. */
export function stopSequences(protocol: Protocol, parallel: boolean): string[] {
  const { call, stop = [] } = protocol.syntax;
  const end = call.at(-1);
  return stop.filter((sequence) => !parallel || typeof end !== "string" || !end.includes(sequence));
}
