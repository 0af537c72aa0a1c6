import { describe, expect, test } from "vitest";
import { examine } from "../src/doctor/examine.js";
import { breakages } from "./support/doctor/breakages.js";
import { rightServer } from "./support/doctor/broken-server.js";
import { expectFindings } from "./support/doctor/expect-findings.js";

const { signal } = new AbortController();
const settings = { maxTokens: 256, timeout: 2000, patience: 300, signal };

describe("the gateway", () => {
  test("passes for all clients", async () => {
    const url = await rightServer({ pace: 60 });
    const report = await examine({ ...settings, timeout: 60_000, patience: 60_000, url });
    expect(report.checks.filter(({ status }) => status === "fault" || status === "warning")).toEqual([]);
    // None of its streams fails, so none shows how its errors are written there.
    expect(report.checks.filter(({ status }) => status === "unseen").map(({ id }) => id)).toEqual(
      ["chat", "responses", "messages"].map((api) => `${api}.errors.in-stream`),
    );
    expect(report.clients.map(({ status }) => status)).toEqual(report.clients.map(() => "works"));
    expect(report.clients.length).toBeGreaterThan(12);
  });

  test.each(["chat", "responses", "messages"] as const)("writes readable errors in a stream of %s", async (api) => {
    const url = await rightServer({ failsAt: "Count" });
    const report = await examine({ ...settings, url, apis: [api] });
    const wrong = report.checks.filter(({ status }) => status === "fault" || status === "warning");
    expect(wrong.map(({ id }) => id)).toEqual([`${api}.answers`]);
    expect(report.checks.find(({ id }) => id === `${api}.errors.in-stream`)?.status).toBe("pass");
  });
});

// Here those that no real client is asked about, and one of four of the others. All: `npm run verify -- doctor-breakages`.
const some = [
  ...breakages.filter(({ asked }) => asked === undefined),
  ...breakages.filter(({ asked }) => asked !== undefined).filter((_, index) => index % 4 === 0),
];

describe("a server where", () => {
  test.each(some)("$title ($api)", expectFindings);
});
