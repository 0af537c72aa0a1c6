// node scripts/protocols-page.mjs: writes docs/protocols.md from the registry. Build the workspace first.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { protocolPage } from "./lib/protocol-page.mjs";
import { root } from "./lib/run.mjs";

// The facts are those of the command `toolingua protocols`, made of the core's public interface. They are not in the core,
// which would be larger for everybody by what only the command and this page need.
const { allFacts, placeWords } = await import("../packages/cli/dist/protocols/facts.js");
const { protocolNames } = await import("../packages/cli/dist/protocols/named-protocol.js");
writeFileSync(join(root, "docs", "protocols.md"), protocolPage(protocolNames.map(allFacts), placeWords));
