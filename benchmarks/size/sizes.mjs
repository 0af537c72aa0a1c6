// What an application's bundle grows by, for each way to import the reply parser: esbuild, minified, gzip.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import esbuild from "@size-limit/esbuild";
import file from "@size-limit/file";
import sizeLimit from "size-limit";
import { limits } from "./limits.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

/** The entries in bundles for a browser, with their sizes in bytes; `limit` in KB of 1000 bytes, where there is one. */
export async function measureSizes(entries = limits) {
  const checks = entries.map(({ entry }) => ({
    files: [join(here, "entries", `${entry}.mjs`)],
    gzip: true,
    modifyEsbuildConfig: (config) => ({ ...config, platform: "browser", format: "esm" }),
  }));
  const measured = await sizeLimit([esbuild, file], { checks });
  return entries.map((entry, i) => ({ ...entry, size: measured[i].size }));
}
