import { expect, test } from "vitest";
import { committed, quickRun, rowsOf } from "../timing/quick-run.mjs";

test("one command measures all that is committed", () => {
  expect(rowsOf(committed("turn"))).toEqual(rowsOf(quickRun("turn")));
});
