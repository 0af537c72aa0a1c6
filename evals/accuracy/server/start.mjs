// llama.cpp's own server, from its wheel on PyPI, for one model: the same as for users of llama-server.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { wheelFolder } from "../wheel.mjs";

export const SERVER_WHEEL = "xllamacpp==2026.10.11549";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Chat templates with tools, by the format of the model's turns. */
const templates = { chatml: here("chatml.jinja"), document: here("document.jinja") };

/**
 * Starts the server: `{ baseURL, stop() }`. `turns`: "chatml" or "document". It ends with this process.
 *
 * Throws without Python 3.10 or later, and if the model cannot be loaded; llama.cpp's own messages are then on stderr.
 */
export async function startServer({ modelPath, turns, threads = 1 }) {
  const python = process.platform === "win32" ? "python" : "python3";
  const child = spawn(python, [here("serve.py"), modelPath, String(threads), templates[turns]], {
    env: { ...process.env, PYTHONPATH: wheelFolder(SERVER_WHEEL) },
    stdio: ["pipe", "pipe", process.env.TOOLINGUA_SERVER_LOG ? "inherit" : "ignore"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve).once("error", resolve));
  const address = await Promise.race([listening(child), ended.then(() => undefined)]);
  if (address === undefined)
    throw new Error("llama.cpp's server did not start. With TOOLINGUA_SERVER_LOG=1 it says why.");
  return {
    baseURL: `${address}/v1`,
    async stop() {
      child.stdin.end();
      child.kill();
      await ended;
    },
  };
}

async function listening({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    const [, address] = /^listening (\S+)/.exec(line) ?? [];
    if (address) return address;
  }
  return undefined;
}
