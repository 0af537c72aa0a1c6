import { expect, test } from "vitest";
import { committed, quickRun, rowsOf } from "../timing/quick-run.mjs";

test("one command takes all committed measurements", () => {
  // A quick run is without the other gateways, which are not installed with the workspace.
  const own = rowsOf(committed("gateway")).filter(([what]: string[]) => !/Portkey|LiteLLM/.test(what!));
  expect(own).toEqual(rowsOf(quickRun("gateway")));
});
