import { expect, test } from "vitest";
import { committed, quickRun, rowsOf } from "../timing/quick-run.mjs";

test("one command measures all that is committed", () => {
  // A quick run is without the other gateway, which is not installed with the workspace.
  const own = rowsOf(committed("gateway")).filter(([what]: string[]) => !/Portkey/.test(what!));
  expect(own).toEqual(rowsOf(quickRun("gateway")));
});
