import { Presets, SingleBar } from "cli-progress";

/** How far a download is, in bytes; the argument of `onProgress` in `resolveModel`. */
export interface Progress {
  model: string;
  received: number;
  total: number;
}

/**
 * Runs what may download a model. A bar on standard error shows the progress; there is none where nothing is downloaded.
 *
 * @example const { path } = await withDownloadBar((onProgress) => resolveModel("gemma3-270m", { onProgress }));
 */
export async function withDownloadBar<T>(load: (onProgress: (progress: Progress) => void) => Promise<T>): Promise<T> {
  const format = "Downloading {model} [{bar}] {percentage}% of {megabytes} MB";
  const bar = new SingleBar({ format, noTTYOutput: true, notTTYSchedule: 5000 }, Presets.legacy);
  const onProgress = ({ model, received, total }: Progress) => {
    if (bar.isActive) bar.update(received);
    else bar.start(total, received, { model, megabytes: Math.round(total / 1e6) });
  };
  try {
    return await load(onProgress);
  } finally {
    bar.stop();
  }
}
