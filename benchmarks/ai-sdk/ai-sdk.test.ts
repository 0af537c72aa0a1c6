import { expect, test } from "vitest";
import { committed, quickRun, rowsOf } from "../timing/quick-run.mjs";

test("one command takes all committed measurements", () => {
  expect(rowsOf(committed("ai-sdk"))).toEqual(rowsOf(quickRun("ai-sdk")));
});
