// Portkey's gateway, for comparison. It has 25 MB, so it is not in the workspace: the first run installs it beside this
// file. With later versions of Hono than those in package.json, each of its requests fails.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./portkey/", import.meta.url));
export const portkeyProgram = `${folder}node_modules/@portkey-ai/gateway/build/start-server.js`;

/** Installs it, once. Whether it is there. */
export function installPortkey() {
  if (existsSync(portkeyProgram)) return true;
  const npm = ["install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  try {
    execFileSync("npm", npm, { cwd: folder, stdio: "ignore", shell: process.platform === "win32" });
  } catch {
    console.error("Portkey's gateway cannot be installed here, and is left out.");
  }
  return existsSync(portkeyProgram);
}

/** It does not report its port, so it gets one that was free a moment ago. */
export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** What its requests need, to be sent to this upstream. */
export const portkeyHeaders = (upstream) => ({
  "x-portkey-provider": "openai",
  "x-portkey-custom-host": upstream,
  authorization: "Bearer none",
});
