// What the verdicts come to.
import { median } from "../report/format.mjs";

/**
 * The value as text, its keys in the order in which the schema names them: the one order that every converter admits.
 */
export const textOf = (value, schema) => JSON.stringify(ordered(value, schema));

function ordered(value, schema) {
  const { properties = {}, items } = typeof schema === "object" && schema !== null ? schema : {};
  if (Array.isArray(value)) return value.map((item) => ordered(item, items));
  if (typeof value !== "object" || value === null) return value;
  const known = Object.keys(properties).filter((key) => Object.hasOwn(value, key));
  const rest = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
  return Object.fromEntries([...known, ...rest].map((key) => [key, ordered(value[key], properties[key])]));
}

/**
 * A row: how many of the schemas compile and are right in every test (`exact`), how many values that the schema refuses
 * are accepted (`wrongAccepts`) and vice versa (`wrongRejects`), of the schemas that compile; the median compile time,
 * in microseconds. `unsaid`: schemas with a wrong verdict that the compiler did not report; only ours reports any.
 */
export function countOf(compiler, cases, verdicts) {
  const row = {
    compiler,
    schemas: cases.length,
    compiled: 0,
    exact: 0,
    tests: 0,
    wrongAccepts: 0,
    wrongRejects: 0,
    unsaid: 0,
  };
  const times = [];
  for (const [i, { tests }] of cases.entries()) {
    const given = verdicts[i];
    if (given.error !== undefined) continue;
    row.compiled += 1;
    times.push(given.us);
    const accepts = tests.filter(({ valid }, k) => !valid && given.verdicts[k]).length;
    const rejects = tests.filter(({ valid }, k) => valid && !given.verdicts[k]).length;
    row.tests += tests.length;
    row.wrongAccepts += accepts;
    row.wrongRejects += rejects;
    if (accepts + rejects === 0) row.exact += 1;
    else if ((accepts > 0 && !given.said?.loose) || (rejects > 0 && !given.said?.tight)) row.unsaid += 1;
  }
  return { ...row, microseconds: times.length > 0 ? Number(median(times).toPrecision(3)) : undefined };
}
