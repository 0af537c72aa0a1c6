import { expect, test } from "vitest";
import { whyNoChoice } from "./why-no-choice.js";

test("a choice that names no tool is explained with the choices that there are", () => {
  expect(whyNoChoice("ad", [{ name: "add" }, { name: "now" }])).toBe(
    'tool_choice "ad" is neither "auto", "any", "required" or "none" nor one of the tools (add, now).',
  );
  expect(whyNoChoice({ type: "tool" }, [])).toMatch(/^tool_choice \{"type":"tool"\} is neither .* \(none\)\.$/);
});
