/** Changed copies of an object, most of which its schema refuses; a validator decides which. */
export function mutations(value, schema) {
  const keys = Object.keys(value);
  const without = keys.map((key) => Object.fromEntries(Object.entries(value).filter(([one]) => one !== key)));
  const changed = keys.flatMap((key) =>
    others(value[key], schema.properties?.[key]).map((other) => ({ ...value, [key]: other })),
  );
  return [...without, ...changed, {}, [value], "text"];
}

/** Values of other kinds, and of the same kind but outside of what the schema lists. */
function others(value, { enum: listed, items } = {}) {
  const kinds = ["no such value", -1.5, true, null, [], {}].filter((other) => kindOf(other) !== kindOf(value));
  const outside = listed ? [typeof value === "string" ? `${value} ` : "no such value"] : [];
  const fraction = Number.isInteger(value) ? [value + 0.5] : [];
  const inner = Array.isArray(value) && items ? [[...value, items.type === "object" ? 7 : {}]] : [];
  return [...kinds, ...outside, ...fraction, ...inner];
}

const kindOf = (value) => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value);
