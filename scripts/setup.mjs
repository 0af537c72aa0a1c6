// npm run setup: installs the dependencies with the workspace's own version of pnpm.
import { install } from "./lib/workspace.mjs";

await install();
