import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { allFacts, placeWords } from "../packages/cli/src/protocols/facts.js";
import { protocolNames } from "../packages/cli/src/protocols/named-protocol.js";
import { protocolPage } from "../scripts/lib/protocol-page.mjs";

const page = join(fileURLToPath(new URL("..", import.meta.url)), "docs", "protocols.md");

test("docs/protocols.md matches the registry (made by scripts/protocols-page.mjs)", () => {
  expect(readFileSync(page, "utf8")).toBe(protocolPage(protocolNames.map(allFacts), placeWords));
});
