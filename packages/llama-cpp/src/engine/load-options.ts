import { aFunction, aSignal, checkOptions, isObject, type OptionRules, wholeFrom } from "@toolingua/core/adapters";
import type { LogListener } from "./native.js";

/** Options for loading an engine. */
export interface EngineOptions {
  /** A GGUF file. `resolveModel` finds one by name. */
  modelPath: string;
  /**
   * Threads for reading the prompt (default: every usable core that is idle) and for generating (default: half of the
   * usable cores). One number sets both.
   */
  threads?: number | { prefill?: number | undefined; decode?: number | undefined } | undefined;
  /**
   * The most tokens of a prompt and its reply together, rounded up to a multiple of 256. Default: the model's training
   * context, at most 8192.
   */
  contextSize?: number | undefined;
  /** How many calls run concurrently, each with its own context in memory; further calls are queued. Default 1. */
  sequences?: number | undefined;
  /** A Jinja chat template to use instead of the model's own. */
  chatTemplate?: string | TurnTemplate | undefined;
  /** Receives llama.cpp's log while this engine exists. */
  onLog?: LogListener | undefined;
  /** Stops loading. */
  signal?: AbortSignal | undefined;
}

/** The largest context of an engine whose options name none, in tokens. */
export const DEFAULT_CONTEXT = 8192;

/** A chat template for a model without an end-of-turn token. */
export interface TurnTemplate {
  template: string;
  /** How the next turn begins: a reply ends before any of these texts. */
  stop: readonly string[];
}

/** The rules for the options other than the file and the signal. */
export const engineRules: OptionRules<Omit<EngineOptions, "modelPath" | "signal">> = {
  // Numbers are checked against this machine.
  threads: {
    takes: (value) => typeof value === "number" || isObject(value),
    words: "a whole number from 1, or { prefill, decode }",
  },
  contextSize: wholeFrom(1),
  sequences: wholeFrom(1),
  chatTemplate: {
    takes: (value) => typeof value === "string" || (isObject(value) && typeof value.template === "string"),
    words: "a Jinja template, or { template, stop }",
  },
  onLog: aFunction,
};

const rules: OptionRules<EngineOptions> = {
  modelPath: {
    takes: (value) => typeof value === "string" && value !== "",
    words: "the path of a GGUF file, which resolveModel() finds",
  },
  ...engineRules,
  signal: aSignal,
};

/**
 * Checks the options of an engine.
 *
 * Errors: `OptionsError` (`bad-option`).
 *
 * @example checkLoadOptions({ modelPath, contextsize: 4096 }); // throws: … Did you mean "contextSize"?
 */
export function checkLoadOptions(options: EngineOptions): void {
  checkOptions(rules, options, "the options of LlamaCppEngine.load", ["modelPath"]);
}
