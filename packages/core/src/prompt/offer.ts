import type { Protocol, ToolPromptContext } from "../protocol.js";
import { everyProtocol, getProtocol } from "../protocols/index.js";
import { isPrepared } from "../schema/prepared-tools.js";
import { listTools } from "../tool-text/index.js";
import type { ToolChoice, ToolDefinition } from "../types.js";
import { createEscaper, type Escaper, type EscaperOptions, guardedWith } from "./escape.js";
import { callOpening, forcedTool, toolChoiceNotice } from "./force.js";
import { offeredTools } from "./offered-tools.js";
import type { PromptOptions } from "./prompt-options.js";
import { toolSection } from "./tool-section.js";

/** The options that an offer depends on. `tools` are in the key of the cache, `listed` and `callable` prevent it. */
export type OfferOptions = Pick<
  PromptOptions,
  "tools" | "listed" | "protocol" | "guard" | "markers" | "style" | "toolChoice" | "parallel"
> & {
  /** The names of all tools that the reply may call, also of those that are not shown. Their markers are broken too. */
  callable?: readonly string[] | undefined;
};

/** All that a prompt takes from the tools and the options: everything but the conversation. */
export class Offer {
  readonly protocol: Protocol;
  readonly toolChoice: ToolChoice;
  /** The tools that can be called. */
  readonly offered: readonly ToolDefinition[];
  readonly escaper: Escaper;
  /** The section on the tools, if there are any. */
  readonly section: string | undefined;
  /** The sentence for a required call. */
  readonly notice: string | undefined;
  readonly stop: readonly string[];
  /** Whether one reply may have several calls. */
  readonly several: boolean;
  readonly #context: ToolPromptContext;
  readonly #guard: readonly Protocol[];
  readonly #guarded: EscaperOptions;
  #opening: { text: string | undefined } | undefined;

  /** Errors: those of {@link offeredTools}, `getProtocol` and `toolSection`. */
  constructor(options: OfferOptions, tools: readonly ToolDefinition[]) {
    const { toolChoice = "auto", style = "native", markers } = options;
    const protocol = getProtocol(options.protocol ?? "xml");
    const offered = offeredTools(tools, toolChoice);
    const parallel = (options.parallel ?? true) && protocol.syntax.parallel;
    const guard = guardedWith(protocol, options.guard ?? everyProtocol);
    const guarded = { markers, tools: options.callable ?? tools.map(({ name }) => name) };
    const isAny = offered.length > 0;
    this.protocol = protocol;
    this.toolChoice = toolChoice;
    this.offered = offered;
    // A named tool is called once. The system message does not mention it, because it must not change from turn to turn.
    this.several = parallel && (options.parallel ?? typeof toolChoice !== "object");
    this.#context = { style, toolChoice, parallel, listTools };
    this.#guard = guard;
    this.#guarded = guarded;
    this.escaper = createEscaper(guard, guarded);
    this.notice = isAny ? toolChoiceNotice(toolChoice, protocol, offered) : undefined;
    this.stop = isAny ? stopSequences(protocol, this.several) : [];
    const listed = isAny ? (options.listed ?? offered) : [];
    this.section = listed.length > 0 ? this.sectionOn(listed) : undefined;
  }

  /** The section on these tools, as the system message has it. Errors: those of `toolSection`. */
  sectionOn(tools: readonly ToolDefinition[]): string {
    const { protocol } = this;
    const escaper = createEscaper(this.#guard, { ...this.#guarded, definitionsIn: protocol });
    return toolSection(protocol, tools, this.#context, escaper);
  }

  /** The beginning of a required call. Many models take no prefill and never need it. */
  get opening(): string | undefined {
    const { protocol, toolChoice, offered } = this;
    if (this.notice === undefined) return undefined;
    this.#opening ??= { text: callOpening(protocol, offered, forcedTool(toolChoice, offered)) };
    return this.#opening.text;
  }
}

/** The offers of a list of tools, with the options that they were made with. */
const made = new WeakMap<readonly ToolDefinition[], { options: OfferOptions; offer: Offer }[]>();

/** The number of cached offers of one list, those used last first. */
const MAX_OFFERS = 4;

/**
 * The offer of these options. It is the same in every turn of a conversation, so it is cached with a list that
 * `preparedTools` made; every other list may have changed since. Errors: those of {@link Offer}.
 */
export function offerOf(options: OfferOptions): Offer {
  const { tools = [], listed, callable } = options;
  if (listed || callable || !isPrepared(tools)) return new Offer(options, tools);
  const known = made.get(tools) ?? [];
  for (const one of known) if (isEqual(one.options, options)) return one.offer;
  const { protocol, guard, markers, style, toolChoice, parallel } = options;
  const choice = typeof toolChoice === "object" ? { name: toolChoice.name } : toolChoice;
  const own = { protocol, guard, markers: markers && [...markers], style, toolChoice: choice, parallel };
  const offer = new Offer(options, tools);
  made.set(tools, [{ options: own, offer }, ...known.slice(0, MAX_OFFERS - 1)]);
  return offer;
}

function isEqual(a: OfferOptions, b: OfferOptions): boolean {
  return (
    a.protocol === b.protocol &&
    a.guard === b.guard &&
    a.style === b.style &&
    a.parallel === b.parallel &&
    nameOf(a.toolChoice) === nameOf(b.toolChoice) &&
    typeof a.toolChoice === typeof b.toolChoice &&
    haveSame(a.markers, b.markers)
  );
}

const nameOf = (choice: ToolChoice | undefined) => (typeof choice === "object" ? choice.name : choice);

function haveSame(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a === b || (a.length === b.length && a.every((marker, i) => marker === b[i]));
}

/** The protocol's stop sequences; with `parallel` without the end of a call, which would cut off further calls. */
export function stopSequences(protocol: Protocol, parallel: boolean): string[] {
  const { call, stop = [] } = protocol.syntax;
  const end = call.at(-1);
  return stop.filter((sequence) => !parallel || typeof end !== "string" || !end.includes(sequence));
}
