import type { JsonSchema } from "../types.js";
import { type Plan, planFor } from "./plan.js";

/** What is read of a tool. */
interface Parameters {
  parameters?: JsonSchema | undefined;
}

const NONE = { type: "object", properties: {}, additionalProperties: false };

/** The schema of the arguments of a tool; one without `parameters` takes none. */
export const parametersOf = ({ parameters = NONE }: Parameters): JsonSchema => parameters;

/**
 * The plan for the arguments of a tool; without a tool, of any arguments.
 *
 * @example planOfTool({ parameters: { properties: { city: {} } } }).properties.size; // 1
 */
export const planOfTool = (tool: Parameters | undefined): Plan => planFor(tool && parametersOf(tool));
