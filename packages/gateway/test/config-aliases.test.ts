import { expect, it } from "vitest";
import { GatewayConfigError, parseConfig } from "../src/index.js";

it.each([
  ["models:\n  - name: m\n    aliases: [*-mini]", /line 3, column 15: \*-mini is a reference in YAML.*needs quotes/],
  [
    `a: &a [${"x,".repeat(99)}]\nb: &b [${"*a,".repeat(99)}]\nc: [${"*b,".repeat(99)}]`,
    /line 1, column 1: its references cannot be followed: Excessive alias count/,
  ],
])("YAML aliases that are unknown or expand too much are configuration errors: %#", (text, words) => {
  expect(() => parseConfig(text, {})).toThrow(GatewayConfigError);
  expect(() => parseConfig(text, {})).toThrow(words);
});
