import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test("the documentation of the repairs has each code once, and no other", async () => {
  const source = await readFile(new URL("./types.ts", import.meta.url), "utf8");
  const [, documentation = "", type = ""] =
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport type RepairCode =([^;]*);/.exec(source) ?? [];
  const documented = [...documentation.matchAll(/`([a-z]+(?:-[a-z]+)*)`/g)].map(([, code]) => code);
  const codes = [...type.matchAll(/"([a-z-]+)"/g)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(50);
  expect(documented.sort()).toEqual(codes.sort());
});
