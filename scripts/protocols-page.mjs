// node scripts/protocols-page.mjs: writes docs/protocols.md from the registry. Build the workspace first.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { protocolPage } from "./lib/protocol-page.mjs";
import { root } from "./lib/run.mjs";

const { allFacts, names } = await import("../packages/cli/dist/protocols/facts.js");
writeFileSync(join(root, "docs", "protocols.md"), protocolPage(names.map(allFacts)));
