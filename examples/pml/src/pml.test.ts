import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parsePml } from "@toolingua/pml";
import { afterAll, expect, test } from "vitest";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const out = mkdtempSync(join(tmpdir(), "toolingua-pml-"));
afterAll(() => rmSync(out, { recursive: true }));

test("the example reads the forgotten file, proposes a diff and is pruned to the limit", () => {
  const printed = execFileSync(process.execPath, [main, "--max-tokens", "6000", "--out", out], { encoding: "utf8" });
  expect(printed).toMatch(/15 attachments/);
  expect(printed).toMatch(/read_file retry\.ts → [1-9]\d* characters/);
  expect(printed).toMatch(/edit_file retry\.ts → \d+ characters/);
  expect(printed).toMatch(/shortened attachment/);

  const session = parsePml(readFileSync(join(out, "session.pml"), "utf8"));
  const parts = session.conversation?.turns.flatMap(({ messages }) =>
    messages.flatMap((message) => (message.type === "tool_output" ? [message] : message.parts)),
  );
  const of = (type: string) => parts?.filter((part) => part.type === type) ?? [];
  expect(of("attachment")).toHaveLength(15);
  expect(of("call")).toMatchObject([{ name: "read_file" }, { name: "edit_file" }]);
  expect(of("edit")).toMatchObject([{ file: "retry.ts", text: expect.stringContaining("+// The wait doubles.") }]);
  expect(session.conversation?.turns).toHaveLength(2);

  const pruned = readFileSync(join(out, "pruned.pml"), "utf8");
  expect(pruned.length / 4).toBeLessThanOrEqual(6000);
  expect(parsePml(pruned).memory).toContainEqual({
    type: "fact",
    id: "style",
    text: expect.stringContaining("Kim wants"),
  });
  expect(readFileSync(join(out, "session.html"), "utf8")).toContain("How long an endpoint waits");
});
