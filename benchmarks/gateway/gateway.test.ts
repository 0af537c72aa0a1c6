import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface Results {
  rows: { what: string; value: number; unit: string }[];
}

const read = (path: string | URL): Results => JSON.parse(readFileSync(path, "utf8"));

test("one command measures all that is committed", () => {
  const out = join(mkdtempSync(join(tmpdir(), "toolingua-gateway-")), "results.json");
  const script = fileURLToPath(new URL("./run.mjs", import.meta.url));
  execFileSync(process.execPath, [script, "--quick", "--out", out], { stdio: ["ignore", "ignore", "inherit"] });
  // A quick run is without the other gateway, which is not installed with the workspace.
  const what = ({ rows }: Results) =>
    rows.map((row) => [row.what, row.unit]).filter(([name]) => !/Portkey/.test(name!));
  expect(what(read(new URL("./results.json", import.meta.url)))).toEqual(what(read(out)));
});
