import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { whyUnreachable } from "@toolingua/core/adapters";
import { importNodeLlamaCpp } from "../engine/import-native.js";
import type { Source } from "./download.js";

const REACHABLE_WITHIN_MS = 4000;

/** Hugging Face, through node-llama-cpp's own downloader: it supports mirrors (HF_ENDPOINT) and tokens (HF_TOKEN). */
export const huggingFace: Source = {
  async fetch({ huggingFace: uri, file }, folder, { onBytes, signal }) {
    if (uri === undefined) throw new Error("the model is not there");
    await assertReachable(signal);
    const { resolveModelFile } = await importNodeLlamaCpp();
    const path = await resolveModelFile(uri, {
      directory: folder,
      fileName: file,
      cli: false,
      onProgress: ({ downloadedSize, totalSize }) => onBytes(downloadedSize, totalSize),
      ...(signal && { signal }),
    });
    const hash = createHash("sha256");
    await pipeline(createReadStream(path), hash, { signal });
    return { path, sha256: hash.digest("hex") };
  },
};

/** Fails early without a network connection: the downloader would retry for minutes. */
async function assertReachable(signal?: AbortSignal): Promise<void> {
  const endpoint = process.env.HF_ENDPOINT || process.env.MODEL_ENDPOINT || "https://huggingface.co/";
  const deadline = AbortSignal.timeout(REACHABLE_WITHIN_MS);
  try {
    await fetch(endpoint, { method: "HEAD", signal: signal ? AbortSignal.any([signal, deadline]) : deadline });
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(`${endpoint} cannot be reached (${whyUnreachable(error).words})`, { cause: error });
  }
}
