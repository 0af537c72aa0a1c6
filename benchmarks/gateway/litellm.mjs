// LiteLLM's proxy, for comparison. It has 740 MB, so it is not in the workspace: the first run installs it beside this
// file.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "1.106.2";
const folder = fileURLToPath(new URL("./litellm/", import.meta.url));
const bin = join(folder, "env", process.platform === "win32" ? "Scripts" : "bin");
export const litellmProgram = join(bin, "litellm");

/** Installs it with Python's pip, once. Whether it is there. */
export function installLitellm() {
  if (existsSync(litellmProgram)) return true;
  const run = (program, ...args) => execFileSync(program, args, { stdio: "ignore" });
  try {
    mkdirSync(folder, { recursive: true });
    run(process.env.PYTHON ?? "python3", "-m", "venv", join(folder, "env"));
    run(join(bin, "python"), "-m", "pip", "install", "--quiet", `litellm[proxy]==${VERSION}`);
  } catch {
    console.error("LiteLLM cannot be installed here, and is left out.");
  }
  return existsSync(litellmProgram);
}

/** Writes its configuration, with a model for each path of the upstream. Returns the file. */
export function litellmConfig(upstream, paths) {
  const file = join(folder, "config.json");
  const models = paths.map((path) => ({
    model_name: String(path),
    litellm_params: { model: "openai/m", api_base: `${upstream}/${path}`, api_key: "none" },
  }));
  writeFileSync(file, JSON.stringify({ model_list: models }));
  return file;
}

/** Nothing is fetched or reported, and everybody may ask. */
export const litellmEnvironment = {
  ...process.env,
  LITELLM_LOCAL_MODEL_COST_MAP: "True",
  LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: "true",
  LITELLM_LOG: "ERROR",
};
