// The processes that are measured. They end with this one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freePort, portkeyProgram } from "./portkey.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const children = [];

function spawned(args, stdout) {
  const child = spawn(process.execPath, args, { stdio: ["pipe", stdout, "inherit"] });
  children.push(child);
  return child;
}

/** Starts a script of this folder that prints its port. Gives its address. */
export async function start(script, ...args) {
  const [port] = await once(spawned([here(script), ...args], "pipe").stdout, "data");
  return `http://127.0.0.1:${Number(port)}`;
}

export async function startPortkey() {
  const url = `http://127.0.0.1:${await freePort()}`;
  spawned([portkeyProgram, "--headless", `--port=${new URL(url).port}`], "ignore");
  for (let i = 0; i < 100; i++) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isThere) return url;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("Portkey's gateway does not start.");
}

export function endAll() {
  for (const child of children) child.kill();
}
