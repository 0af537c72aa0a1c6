import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const page = readFileSync(fileURLToPath(new URL("../SECURITY.md", import.meta.url)), "utf8");
const [, guaranteed = ""] = /## What is guaranteed([\s\S]*?)## What is not guaranteed/.exec(page) ?? [];
const links = (text: string) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!);
const isThere = (path: string) => existsSync(fileURLToPath(new URL(`../${path}`, import.meta.url)));

test("every guarantee of SECURITY.md names a test", () => {
  const promises = guaranteed.split(/\n(?=- )/).slice(1);
  expect(promises.length).toBeGreaterThan(10);
  expect(promises.filter((promise) => !links(promise).some((path) => path.endsWith(".test.ts")))).toEqual([]);
});

test("every link of SECURITY.md points to a file", () => {
  expect(links(page).filter((path) => !isThere(path))).toEqual([]);
});
