import { expect, test } from "vitest";
import { committed, quickRun, rowsOf } from "../timing/quick-run.mjs";

test("one command takes all committed measurements", () => {
  expect(rowsOf(committed("turn"))).toEqual(rowsOf(quickRun("turn")));
});
