import { isObject } from "../../plain-object.js";
import { join, stepsOf } from "../../schema/json.js";
import type { Repairs } from "./repairs.js";

/**
 * Refuses objects whose keys were all dropped because none is declared: the call must not run with empty arguments.
 *
 * @example refuseEmptied({}, repairs); // after repairs.add("dropped-key", "/zone"): the call is invalid
 */
export function refuseEmptied(args: unknown, repairs: Repairs): void {
  for (const { code, path = "" } of repairs.list()) {
    if (code !== "dropped-key") continue;
    const steps = stepsOf(path);
    const key = steps.pop();
    const object = steps.reduce<unknown>((value, step) => Object(value)[step], args);
    if (!isObject(object) || Object.keys(object).length > 0) continue;
    repairs.refuse(
      `the key ${JSON.stringify(key)} is none of those that there are, and no other is given`,
      join("", ...steps),
    );
  }
}
