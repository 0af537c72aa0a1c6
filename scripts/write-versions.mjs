// node scripts/write-versions.mjs: writes the packages' versions into their sources, where those say them.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/run.mjs";
import { workspaceFolders } from "./lib/workspace.mjs";

for (const folder of workspaceFolders("packages")) {
  const source = join(root, folder, "src", "version.ts");
  if (!existsSync(source)) continue;
  const { version } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  writeFileSync(source, readFileSync(source, "utf8").replace(/(VERSION = )".*"/, `$1${JSON.stringify(version)}`));
}
