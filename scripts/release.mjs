// npm run release: builds everything from nothing and publishes what is new.
import { build, install, publish } from "./lib/workspace.mjs";

await install();
await build({ clean: true });
await publish();
