// npm run build [-- --clean]: builds every package (ES modules and CommonJS) and the examples.
import { build, install } from "./lib/workspace.mjs";

await install();
await build({ clean: process.argv.includes("--clean") });
