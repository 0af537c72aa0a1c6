import { expect, test } from "vitest";
import { fuzz } from "./fuzz.js";

// A slice of `npm run fuzz`: as many replies as a few seconds take, the same in every run.
test("the laws of the reply parser hold for mutated replies of every wire format", () => {
  const { failures } = fuzz({ seed: 20261121, runs: 3000, reported: 1 });
  expect(failures).toEqual([]);
});
