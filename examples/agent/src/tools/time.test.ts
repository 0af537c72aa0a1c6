import { describe, expect, test } from "vitest";
import { describeTime, timeTool } from "./time.js";

const now = new Date("2026-01-15T12:34:00Z");

describe("the time tool", () => {
  test.each([
    ["Tokyo", "In Tokyo (Asia/Tokyo) it is 21:34 on Thursday, 15 January 2026."],
    ["tokyo", "In Tokyo (Asia/Tokyo) it is 21:34 on Thursday, 15 January 2026."],
    ["Asia/Tokyo", "In Tokyo (Asia/Tokyo) it is 21:34 on Thursday, 15 January 2026."],
    ["Tokyo, Japan", "In Tokyo, Japan (Asia/Tokyo) it is 21:34 on Thursday, 15 January 2026."],
    ["New_York", "In New York (America/New_York) it is 07:34 on Thursday, 15 January 2026."],
    ["Japan", "In Japan (Asia/Tokyo) it is 21:34 on Thursday, 15 January 2026."],
    ["sao paulo", "In Sao Paulo (America/Sao_Paulo) it is 09:34 on Thursday, 15 January 2026."],
    ["Beijing", "In Beijing, China (Asia/Shanghai) it is 20:34 on Thursday, 15 January 2026."],
    ["UTC", "In UTC (UTC) it is 12:34 on Thursday, 15 January 2026."],
  ])("knows %s", (place, said) => {
    expect(describeTime(place, now)).toBe(said);
  });

  test("prefers the city that its time zone is named for, unless the question says otherwise", () => {
    expect(describeTime("London", now)).toContain("Europe/London");
    expect(describeTime("London, Canada", now)).toContain("America/Toronto");
  });

  test("gives the time in two places of one name", () => {
    const said = describeTime("San Francisco", now);
    expect(said).toContain("San Francisco, United States of America (America/Los_Angeles) it is 04:34");
    expect(said).toContain("San Francisco, Argentina (America/Argentina/Cordoba) it is 09:34");
  });

  test("asks back about a country with many time zones", () => {
    expect(describeTime("Brazil", now)).toMatch(/^"Brazil" has \d+ time zones: name a city/);
  });

  test.each(["", "Atlantis", "Tokyo, France", "\ud800", "x".repeat(10_000)])("reports an unknown place", (place) => {
    expect(describeTime(place, now)).toMatch(/^Unknown place/);
  });

  test("is a LangChain tool", async () => {
    expect(await timeTool(() => now).invoke({ city: "Lima" })).toContain("07:34");
  });
});
