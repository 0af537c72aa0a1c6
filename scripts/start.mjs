// node scripts/start.mjs EXAMPLE [arguments]: installs, builds and runs an example, which gets the arguments.
import { run } from "./lib/run.mjs";
import { buildExample, install } from "./lib/workspace.mjs";

const [example, ...rest] = process.argv.slice(2);
await install();
await buildExample(example);
process.exitCode = await run(process.execPath, [`examples/${example}/dist/main.js`, ...rest]);
