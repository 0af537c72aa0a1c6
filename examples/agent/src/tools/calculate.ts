import { tool } from "langchain";
import { all, type BigNumber, create, type MathNode } from "mathjs";
import { z } from "zod";

const digits = 64;
const math = create(all!, { number: "BigNumber", precision: digits });

/** What an expression may consist of. Everything else that mathjs knows (assignments, imports, matrices, units) is refused. */
const operators = ["+", "-", "*", "/", "^", "%", "mod"];
const functions = ["sqrt", "cbrt", "abs", "round", "floor", "ceil", "min", "max"];
const constants = ["pi", "e"];

/** Arithmetic on 64 decimal digits instead of the 16 of a JavaScript number. */
export const calculateTool = tool(({ expression }) => calculate(expression), {
  name: "calculate",
  description: "Calculate an arithmetic expression.",
  schema: z.object({ expression: z.string().max(500).describe("Numbers, operators and parentheses") }),
});

/** "The result is 4." ("about" where 64 digits do not suffice), ready to be repeated; or what is wrong with the expression. */
export function calculate(expression: string): string {
  try {
    const node = math.parse(expression.replaceAll("×", "*").replaceAll("÷", "/").replaceAll("−", "-"));
    node.traverse(check);
    const value = math.bignumber(node.evaluate()) as BigNumber;
    if (!value.isFinite()) throw new Error("the result is not a number.");
    const exact = value.precision() < digits;
    const digitsShown = exact ? digits : 15;
    return `The result is ${exact ? "" : "about "}${math.format(value, { precision: digitsShown, upperExp: digits })}.`;
  } catch (error) {
    return `Cannot calculate "${expression}": ${error instanceof Error ? error.message : error}`;
  }
}

function check(node: MathNode): void {
  if (math.isConstantNode(node) || math.isParenthesisNode(node)) return;
  if (math.isOperatorNode(node) && operators.includes(node.op)) return;
  if (math.isFunctionNode(node) && functions.includes(node.fn.name)) return;
  if (math.isSymbolNode(node) && [...constants, ...functions].includes(node.name)) return;
  throw new Error(
    `"${node.toString()}" is not arithmetic. Use numbers, ${operators.join(" ")} and ${functions.join(", ")}.`,
  );
}
