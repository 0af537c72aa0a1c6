import { describe, expect, it } from "vitest";
import { didYouMean, nearestNames } from "./nearest-name.js";

describe("nearestNames", () => {
  it("sorts by edit distance and ignores case", () => {
    expect(nearestNames("Wether", ["time", "weather"])).toEqual({ ranked: ["weather", "time"], meant: "weather" });
  });

  it("picks none that differs in more than a third of its characters", () => {
    expect(nearestNames("add", ["time", "weather"]).meant).toBeUndefined();
  });
});

describe("didYouMean", () => {
  it("ends with the given sentence if no name is near", () => {
    const seeAll = (wanted: string) => didYouMean(wanted, ["time", "weather"], "`list` shows all.");
    expect([seeAll("add"), seeAll("wether")]).toEqual(["`list` shows all.", 'Did you mean "weather"?']);
  });

  it.each([
    ["wether", ["time", "weather"], 'Did you mean "weather"?'],
    ["glm", ["glm4", "xlm", "glm45"], 'Did you mean "glm4" or "glm45"?'],
    ["GLM", ["glm4", "glm45"], 'Did you mean "glm4" or "glm45"?'],
    ["lists", ["list", "lists_all"], 'Did you mean "list" or "lists_all"?'],
    ["gl", ["glm4", "gzip"], 'There are "glm4", "gzip".'],
    ["a", ["abc"], 'There is "abc".'],
    ["add", ["weather", "time"], 'There are "weather", "time".'],
    ["add", ["weather"], 'There is "weather".'],
    ["xlm", ["xml", "yaml"], 'Did you mean "xml"?'],
    ["toon", ["json", "yaml"], 'There are "json", "yaml".'],
    ["noen", ["none", "auto"], 'Did you mean "none"?'],
    ["add", [], "There is none."],
  ])("ends a message about %j among %j", (wanted, names, hint) => {
    expect(didYouMean(wanted, names)).toBe(hint);
  });

  it("lists twenty names, and 100 characters of each", () => {
    const names = Array.from({ length: 23 }, (_, i) => `${"x".repeat(200)}${i}`);
    const listed = Array.from({ length: 20 }, () => `"${"x".repeat(99)}…"`).join(", ");
    expect(didYouMean("add", names)).toBe(`There are ${listed} and 3 more.`);
  });
});
