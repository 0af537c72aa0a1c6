// npm start [-- "question" --flags]: installs, builds and runs the example agent. Everything after `--` is the agent's.
import { run } from "./lib/run.mjs";
import { build, install } from "./lib/workspace.mjs";

await install();
await build();
process.exitCode = await run(process.execPath, ["examples/agent/dist/main.js", ...process.argv.slice(2)]);
