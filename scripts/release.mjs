// npm run release: builds everything from nothing, runs all tests and publishes what is new, from a clean checkout of main.
import { execFileSync } from "node:child_process";
import { must, root } from "./lib/run.mjs";
import { build, install, publish } from "./lib/workspace.mjs";

const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
if (git("branch", "--show-current") !== "main") throw new Error("A release is made from the branch main.");
if (git("status", "--porcelain") !== "") throw new Error("There are uncommitted changes: commit or remove them first.");

await install();
await build({ clean: true });
await must(process.execPath, ["scripts/test.mjs"]);
await publish();
