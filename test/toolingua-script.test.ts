import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const script = fileURLToPath(new URL("../scripts/toolingua.mjs", import.meta.url));

test("npm run toolingua reads files of the folder that its user is in", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolingua-script-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "reply.txt"), '<tool_call>{"name": "now", "arguments": {}}</tool_call>');
  // npm sets this before it changes to the repository.
  const env = { ...process.env, INIT_CWD: folder };
  const shown = execFileSync(process.execPath, [script, "parse", "reply.txt"], { env, encoding: "utf8" });
  expect(shown).toContain("now {}");
});
