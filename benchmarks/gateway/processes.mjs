// The processes that are measured. They end with this one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { litellmConfig, litellmEnvironment, litellmProgram } from "./litellm.mjs";
import { freePort, portkeyProgram } from "./portkey.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const children = [];

function spawned(args, stdout, { program = process.execPath, env } = {}) {
  const child = spawn(program, args, { stdio: ["pipe", stdout, "inherit"], ...(env && { env }) });
  children.push(child);
  return child;
}

/** Starts a script of this folder that prints its port. Returns its address. */
export async function start(script, ...args) {
  const [port] = await once(spawned([here(script), ...args], "pipe").stdout, "data");
  return `http://127.0.0.1:${Number(port)}`;
}

export async function startPortkey() {
  const url = `http://127.0.0.1:${await freePort()}`;
  spawned([portkeyProgram, "--headless", `--port=${new URL(url).port}`], "ignore");
  return answering(url);
}

/** With a model for each path of the upstream. */
export async function startLitellm(upstream, paths) {
  const url = `http://127.0.0.1:${await freePort()}`;
  const args = ["--config", litellmConfig(upstream, paths), "--host", "127.0.0.1", "--port", new URL(url).port];
  spawned(args, "ignore", { program: litellmProgram, env: litellmEnvironment });
  return answering(url);
}

/** The address, once something answers there. */
async function answering(url) {
  for (let i = 0; i < 1200; i++) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isThere) return url;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Nothing answers at ${url}.`);
}

export function endAll() {
  for (const child of children) child.kill();
}
