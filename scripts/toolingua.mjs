// npm run toolingua -- COMMAND: the command line of this clone, which is built first if it is not there. After a change,
// `npm run build` builds it again.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./lib/run.mjs";
import { build, install } from "./lib/workspace.mjs";

const command = join("packages", "cli", "dist", "bundle", "bin.js");
if (!existsSync(join(root, command))) {
  await install();
  await build();
}
process.exitCode = await run(process.execPath, [command, ...process.argv.slice(2)]);
