import { describe, expect, test } from "vitest";
import { calculate, calculateTool } from "./calculate.js";

describe("the calculator", () => {
  test.each([
    ["(17 + 4) * 3", "The result is 63."],
    ["0.1 + 0.2", "The result is 0.3."],
    ["12345678901234567890 * 98765432109876543210", "The result is 1219326311370217952237463801111263526900."],
    ["2 ^ 100", "The result is 1267650600228229401496703205376."],
    ["15% * 80", "The result is 12."],
    ["12 × 12 ÷ 3", "The result is 48."],
    ["sqrt(16) + max(1, 2)", "The result is 6."],
    ["1 / 3", "The result is about 0.333333333333333."],
    ["2 * pi", "The result is about 6.28318530717959."],
  ])("%s", (expression, said) => {
    expect(calculate(expression)).toBe(said);
  });

  test.each([
    "",
    "1 +",
    "1 / 0",
    "sqrt(-1)",
    "x = 5",
    "f(x) = x",
    "import({})",
    'createUnit("a")',
    "cos.constructor",
    '"a"',
    "[1, 2]",
    "5 km to m",
    "10!",
    "2 apples",
    'evaluate("1")',
    "process",
    "sqrt",
    `${"9".repeat(400)}!`,
  ])("refuses input that is not arithmetic, with the reason: %s", (expression) => {
    expect(calculate(expression)).toMatch(/^Cannot calculate/);
  });

  test("is a LangChain tool", async () => {
    expect(await calculateTool.invoke({ expression: "2 + 2" })).toBe("The result is 4.");
  });
});
