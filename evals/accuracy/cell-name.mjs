// The name of a cell of ours: its factors, protocol/style/constraint/retry/shots[/wording][/selection].
import { selections } from "./selections.mjs";
import { wordings } from "./wordings.mjs";

const named = ["protocol", "style", "constraint", "retry", "shots"];

/** The factors that a name leaves out where they have this value, and their other values. */
const optional = {
  wording: { standard: "plain", values: Object.keys(wordings) },
  selection: { standard: "all-tools", values: Object.keys(selections) },
};

/** The values that a name leaves out. */
export const unnamed = Object.fromEntries(Object.entries(optional).map(([key, { standard }]) => [key, standard]));

/**
 * The factors of a name; `undefined` for a name of another form. Throws for an unknown wording or selection; the values
 * of the other factors are not checked.
 *
 * @example factorsIn("hermes/compact/grammar/no-retry/1").wording; // "plain"
 */
export function factorsIn(name) {
  const parts = name.split("/");
  const further = parts.slice(named.length);
  if (parts.length < named.length || further.length > Object.keys(optional).length) return undefined;
  const factors = Object.fromEntries(named.map((key, i) => [key, parts[i]]));
  const given = further.map((value) => [keyOf(name, value), value]);
  return { ...factors, ...unnamed, ...Object.fromEntries(given) };
}

function keyOf(name, value) {
  const found = Object.entries(optional).find(([, { values }]) => values.includes(value));
  if (found) return found[0];
  const values = Object.values(optional).flatMap((one) => one.values);
  throw new Error(`No ${Object.keys(optional).join(" or ")} "${value}" in "${name}": there are ${values.join(", ")}.`);
}
