import type { Span } from "./syntax.js";

const inEachCase = (name: string): string[] => [name, name.charAt(0).toUpperCase() + name.slice(1), name.toUpperCase()];

/** The names of the usual tags of reasoning. */
const THINK = ["think", "thinking"];

/** The names of tags that are also common in answers, and that a tool may have. */
const OTHERS = ["thought", "thoughts", "reasoning", "reflection", "scratchpad", "inner_monologue"];

/** Claude's. */
const ANT = "antThinking";

/** All these names, as a pattern that ignores case. */
export const REASONING_NAME = `(?:${[...THINK, ...OTHERS, ANT].join("|")})`;

const tag = (name: string) => [`<${name}>`, `</${name}>`] as const;

/**
 * The reasoning of models in any format, as their training or a prompt taught them: in tags, also with a capital letter or in
 * capital letters; of Claude and MiniMax; in tokens of OpenThinker and Kimi-VL. Sources: the model cards and chat templates.
 */
export const reasoningSpans: readonly Span[] = [
  ...[...[...THINK, ...OTHERS].flatMap(inEachCase), ANT, "mm:think"].map(tag),
  ["<|begin_of_thought|>", "<|end_of_thought|>"] as const,
  ["◁think▷", "◁/think▷"] as const,
].map(([open, close]) => ({ open, close, as: "reasoning" as const }));

const ofOthers = new Set<string>(OTHERS.flatMap(inEachCase).flatMap(tag));

/** Whether a tag of reasoning may be one of the answer or of a tool as well. */
export const mayBeOtherTag = (marker: string): boolean => ofOthers.has(marker);
