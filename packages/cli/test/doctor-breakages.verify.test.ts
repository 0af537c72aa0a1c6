import { describe, test } from "vitest";
import { breakages } from "./support/doctor/breakages.js";
import { expectFindings } from "./support/doctor/expect-findings.js";

// Every broken server that there is. Each is found to be broken where it is, and nowhere else.

describe("a server where", () => {
  test.each(breakages)("$title ($api)", expectFindings);
});
