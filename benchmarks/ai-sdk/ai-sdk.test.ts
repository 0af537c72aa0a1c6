import { expect, test } from "vitest";
import { expectTable } from "../../test/support/readme-table.js";
import { committed, quickRun, rowsOf } from "../timing/quick-run.mjs";
import { figure, isKnown, isMet } from "../timing/spread.mjs";

interface Row {
  what: string;
  value: number;
  low: number | null;
  high: number | null;
  unit: string;
  most: number;
  detail: string;
}

test("one command takes all committed measurements; a quick look knows of no ratio", () => {
  const quick = quickRun("ai-sdk");
  expect(rowsOf(committed("ai-sdk"))).toEqual(rowsOf(quick));
  const rows: Row[] = quick.rows;
  expect(rows.map((row) => [isKnown(row), isMet(row)])).toEqual(rows.map(() => [false, undefined]));
});

test("the README's figures are those that are committed, of a commit", () => {
  const { commit, rows }: { commit: string; rows: Row[] } = committed("ai-sdk");
  expect(commit).not.toContain("dirty");
  const verdict = (row: Row) => ({ true: "met", false: "missed", undefined: "not known" })[String(isMet(row))] ?? "";
  const table = rows.map((row) => [row.what, figure(row), `≤ ${row.most}`, verdict(row), row.detail]);
  const head = ["measured", "ours to what the peer adds", "target", "", "times"];
  const command = "TOOLINGUA_WRITE=1 npx vitest run benchmarks/ai-sdk";
  expectTable(new URL("README.md", import.meta.url), [head, ...table], { command });
});
