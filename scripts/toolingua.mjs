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
// npm runs scripts in the repository, and says where the user is.
const cwd = process.env.INIT_CWD;
process.exitCode = await run(process.execPath, [join(root, command), ...process.argv.slice(2)], { cwd });
