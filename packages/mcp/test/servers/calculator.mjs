// Our own tools, served over stdio from the built package, as a user would: `node calculator.mjs`.
import { serveStdio } from "@toolingua/mcp";

const parameters = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"],
};
const divide = {
  name: "kom.math.v1.divide",
  description: "Divides",
  parameters,
  execute: ({ a, b }) => (b === 0 ? new Error("Nothing divides by 0.") : a / b),
};
await serveStdio([divide], { name: "calculator", version: "1.0.0" });
