export { InvalidToolCallError, ToolChoiceError } from "./errors.js";
export { type GenerateOptions, generateWithTools } from "./generate-with-tools.js";
export type { Turn, TurnResult } from "./turn.js";
