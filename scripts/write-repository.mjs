// node scripts/write-repository.mjs: writes where the repository is, the remote "origin", into every package's manifest.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/run.mjs";
import { workspaceFolders } from "./lib/workspace.mjs";

const remotes = execFileSync("git", ["remote"], { cwd: root, encoding: "utf8" }).split("\n");
if (!remotes.includes("origin")) throw new Error('There is no remote "origin": git remote add origin URL.');
const origin = execFileSync("git", ["remote", "get-url", "origin"], { cwd: root, encoding: "utf8" }).trim();
// git@host:owner/name is how ssh writes https://host/owner/name.
const address = new URL(origin.replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, "https://$1/"));
// The manifests are published: a token in the remote's address does not belong there.
address.username = address.password = "";
const url = `git+${address.href}`;

for (const directory of workspaceFolders("packages")) {
  const path = join(root, directory, "package.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  const repository = { type: "git", url, directory };
  writeFileSync(path, `${JSON.stringify({ ...manifest, repository }, undefined, 2)}\n`);
}
