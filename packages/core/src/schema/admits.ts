import { hasOneOf, hasType, typeOf } from "./json-types.js";
import { listedValues } from "./listed-values.js";
import type { Plan } from "./plan.js";

/** Whether a schema admits values of the kind of this one. The depth is limited, because a schema may be its own branch. */
export function admits({ kind, schema, branches, types }: Plan, value: unknown, depth = 0): boolean {
  if (kind === "any" || depth > MAX_BRANCH_DEPTH) return true;
  if (typeof schema === "boolean") return schema;
  const listed = listedValues(schema);
  if (listed) return listed.some((one) => hasType(value, typeOf(one)));
  if (branches.length > 0) return branches.some((branch) => admits(branch, value, depth + 1));
  return kind === "buffered" && !types ? true : hasOneOf(types ?? [kind], value);
}

const MAX_BRANCH_DEPTH = 4;

/** The plan of the lists that a schema admits: its own, or the only one among its branches. */
export function listOf(plan: Plan): Plan | undefined {
  if (plan.kind !== "buffered") return plan.kind === "array" ? plan : undefined;
  const lists = (plan.branches.length > 0 ? plan.branches : [plan]).filter(({ types }) => types?.includes("array"));
  return lists.length === 1 ? lists[0] : undefined;
}
