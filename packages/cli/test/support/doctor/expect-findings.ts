import { expect } from "vitest";
import { examine } from "../../../src/doctor/examine.js";
import type { Breakage } from "./breakages/breakage.js";
import { brokenServer } from "./broken-server.js";

/** A test that the doctor finds at a broken server what is broken, and nothing else. */
export async function expectFindings({ breaking, api, findings }: Breakage): Promise<void> {
  const { signal } = new AbortController();
  const url = await brokenServer(breaking);
  const report = await examine({ ...{ maxTokens: 256, timeout: 2000, patience: 300, signal }, url, apis: [api] });
  const found = report.checks.filter(({ status }) => status === "fault" || status === "warning");
  expect(found.map(({ id }) => id).sort(), JSON.stringify(found, null, 1)).toEqual([...findings].sort());
  for (const { seen, specification } of found) {
    expect(seen.length).toBeGreaterThan(5);
    expect(specification.source).toMatch(/^https:/);
  }
}
