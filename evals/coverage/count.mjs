// What the verdicts come to.
import { median } from "../report/format.mjs";

/**
 * The value as texts, its keys in the orders that converters expect: as the schema names them, and with the required ones
 * first, as llama.cpp's does. One text where these are the same.
 */
export const textsOf = (value, schema) => [
  ...new Set([false, true].map((first) => JSON.stringify(ordered(value, schema, first)))),
];

function ordered(value, schema, requiredFirst) {
  const { properties = {}, required = [], items } = typeof schema === "object" && schema !== null ? schema : {};
  if (Array.isArray(value)) return value.map((item) => ordered(item, items, requiredFirst));
  if (typeof value !== "object" || value === null) return value;
  const known = Object.keys(properties).filter((key) => Object.hasOwn(value, key));
  const isFirst = (key) => requiredFirst && required.includes(key);
  const sorted = [...known.filter(isFirst), ...known.filter((key) => !isFirst(key))];
  const rest = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
  return Object.fromEntries(
    [...sorted, ...rest].map((key) => [key, ordered(value[key], properties[key], requiredFirst)]),
  );
}

/** What a compiler is asked of a case: all texts of its values. */
export const askedOf = ({ schema, tests }) => ({ schema, texts: tests.flatMap(({ data }) => textsOf(data, schema)) });

/** A verdict for each value from those for its texts: a grammar accepts a value if it accepts any of them. */
export function verdictsOf({ schema, tests }, given) {
  if (given.error !== undefined) return given;
  const left = [...given.verdicts];
  return { ...given, verdicts: tests.map(({ data }) => left.splice(0, textsOf(data, schema).length).some(Boolean)) };
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
