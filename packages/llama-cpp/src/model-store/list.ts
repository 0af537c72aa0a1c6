import { rm } from "node:fs/promises";
import { ModelNotFoundError } from "../errors.js";
import { CachedModel, defaultCacheDir } from "./cache.js";
import { MODELS, type ModelEntry } from "./catalog.js";
import { checkStoreOptions } from "./options.js";
import type { ResolveModelOptions } from "./resolve.js";

/** A model known by name, and whether it is cached. */
export interface ListedModel extends ModelEntry {
  /** The path of the cached file, whether or not it exists. */
  path: string;
  isCached: boolean;
}

/**
 * The models known by name. Downloads nothing. Errors: `OptionsError` (`bad-option`).
 *
 * @example (await listModels()).filter(({ isCached }) => isCached).map(({ name }) => name);
 */
export async function listModels(
  options: Pick<ResolveModelOptions, "cacheDir" | "catalog"> = {},
): Promise<ListedModel[]> {
  checkStoreOptions(options, "listModels");
  const { catalog = MODELS, cacheDir = defaultCacheDir() } = options;
  return await Promise.all(
    catalog.map(async (entry) => {
      const cached = new CachedModel(cacheDir, entry);
      return { ...entry, path: cached.path, isCached: await cached.isThere() };
    }),
  );
}

/**
 * Removes a model from the cache. Resolves with false if it was not cached.
 *
 * Errors: {@link ModelNotFoundError} for an unknown name; `OptionsError` (`bad-option`).
 *
 * @example await removeModel("smollm2-135m"); // true
 */
export async function removeModel(
  name: string,
  options: Pick<ResolveModelOptions, "cacheDir" | "catalog"> = {},
): Promise<boolean> {
  checkStoreOptions(options, "removeModel");
  const all = await listModels(options);
  const model = all.find((one) => one.name === name);
  if (!model) {
    const known = all.map((one) => one.name).join(", ");
    throw new ModelNotFoundError(name, [], ` The names known are: ${known || "none"}.`);
  }
  if (model.isCached) await rm(model.path, { force: true });
  return model.isCached;
}
