import { type Plan, takesOthers } from "./plan.js";

/** Whether a schema allows other keys explicitly, or may declare more of them than its `properties`. */
export const declaresMore = (plan: Plan): boolean =>
  plan.patterns.length + plan.branches.length > 0 ||
  takesOthers(plan) ||
  OTHER_DECLARING.some((keyword) => Object(plan.schema)[keyword] !== undefined);

/** Keywords beside `properties` that may declare more. */
const OTHER_DECLARING = [
  "allOf",
  "anyOf",
  "oneOf",
  "if",
  "$ref",
  "$dynamicRef",
  "dependentSchemas",
  "unevaluatedProperties",
];
