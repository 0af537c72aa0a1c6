import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
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

test("a server whose answers are no JSON is told so, and not only what is missing in them", async () => {
  const server = createServer((request, response) => {
    const models = JSON.stringify({ object: "list", data: [{ id: "m", object: "model" }] });
    response.end(request.url?.endsWith("/models") ? models : "Welcome to nginx!");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { checks } = await examine({ ...settings, url });
  for (const api of ["chat", "responses", "messages"]) {
    const found = (id: string) => checks.find((one) => one.id === `${api}.${id}`);
    expect(found("whole.shape")).toMatchObject({
      status: "fault",
      seen: 'in "text" the answer is not JSON: Welcome to nginx! (and in 5 more)',
    });
    const status = found("errors.status");
    expect(status).toMatchObject({ status: "fault", seen: 'the request "no JSON" gets 200: Welcome to nginx!' });
    for (const { how } of status?.breaks ?? []) expect(how).toContain("takes a 200 for the answer");
  }
});

// Here those that no real client is asked about, and one of four of the others. All: `npm run verify -- doctor-breakages`.
const some = [
  ...breakages.filter(({ asked }) => asked === undefined),
  ...breakages.filter(({ asked }) => asked !== undefined).filter((_, index) => index % 4 === 0),
];

test("a server whose answers are nested 20,000 levels deep is told so", async () => {
  const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
  const call = `{"id":${deep},"type":"function","function":{"name":"f","arguments":${deep}}}`;
  const answer = `{"error":${deep},"choices":[{"message":{"tool_calls":[${call}]}}],"output":[${call}],"content":[${call}]}`;
  const server = createServer((request, response) => {
    response.end(request.url?.endsWith("/models") ? '{"data":[{"id":"m"}]}' : answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { checks } = await examine({ ...settings, url });
  expect(checks.filter(({ status }) => status === "fault").length).toBeGreaterThan(2);
});

describe("a server where", () => {
  test.each(some)("$title ($api)", expectFindings);
});
