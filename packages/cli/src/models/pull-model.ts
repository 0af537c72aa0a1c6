import { MODELS, type ResolvedModel, type ResolveModelOptions, resolveModel } from "@toolingua/llama-cpp";
import { CliError } from "../terminal/errors.js";
import { progress } from "../terminal/progress.js";
import type { Terminal } from "../terminal/terminal.js";
import { untilInterrupted } from "../terminal/until-interrupted.js";

/**
 * Finds a model file, downloading it with a progress bar if needed. Ctrl-C ends the download.
 *
 * Errors: `ModelNotFoundError`, `CliError` (`interrupted`).
 *
 * @param name a model known by name, or the path of a GGUF file
 * @param options where it comes from and goes to, if not the defaults
 * @example const { path } = await pullModel(terminal, "smollm2-135m");
 */
export async function pullModel(
  terminal: Terminal,
  name: string | undefined,
  options: Pick<ResolveModelOptions, "catalog" | "cacheDir" | "sources"> = {},
): Promise<ResolvedModel> {
  let bar: ReturnType<typeof progress> | undefined;
  const onProgress: ResolveModelOptions["onProgress"] = ({ model, received, total, source }) => {
    if (bar === undefined) {
      const entry = (options.catalog ?? MODELS).find((one) => one.name === model);
      terminal.note(`Fetching ${model} (${megabytes(total)}, ${entry?.license ?? "licence unknown"})`);
      bar = progress(terminal, total, "{bar} {percentage} % of {note}, {eta_formatted} left");
    }
    bar.update(received, `${megabytes(total)} from ${source}`);
  };
  const reason = new CliError("interrupted", "The download was interrupted.");
  try {
    const fetchModel = (signal: AbortSignal) => resolveModel(name, { ...options, signal, onProgress });
    return await untilInterrupted(terminal.io, fetchModel, { reason });
  } finally {
    bar?.stop();
  }
}

/** A number of bytes, for display. */
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
