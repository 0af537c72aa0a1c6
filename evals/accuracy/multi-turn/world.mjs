// The building blocks of worlds. A world has a state, plain data, and tools that change it; its scenarios are user
// turns with the calls that carry them out. See home.mjs for one.
import { explainInvalidArguments, validateValue } from "@toolingua/core";

export const text = (description) => ({ type: "string", ...(description && { description }) });
export const whole = (description) => ({ type: "integer", ...(description && { description }) });
export const number = (description) => ({ type: "number", ...(description && { description }) });
export const oneOf = (...values) => ({ type: "string", enum: values });

/**
 * A tool. All arguments are required. `run(state, arguments)` changes the given state, returns the result for the model
 * (default: "done"), and throws the error message for the model.
 */
export const tool = (description, properties, run) => ({
  description,
  parameters: { type: "object", properties, required: Object.keys(properties) },
  run,
});

/** Letters and digits, in lower case: what counts of a text. */
const bare = (value) =>
  value
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Which of the names is meant, whatever its case. Throws an error that lists them. */
export function oneNamed(kind, names, name) {
  const found = names.find((one) => bare(one) === bare(name));
  if (found !== undefined) return found;
  throw new Error(`There is no ${kind} "${name}": there are ${names.join(", ") || "none"}.`);
}

/** The entry of the list with that id. Throws an error that lists the ids. */
export const byId = (kind, list, id) => {
  const ids = list.map((one) => one.id);
  return list[ids.indexOf(oneNamed(kind, ids, id))];
};

/** Adds what may be added again and is there once. */
export const addOnce = (list, item) => {
  if (!list.some((one) => bare(one) === bare(item))) list.push(item);
};

/**
 * Runs a call of one of these tools: the state after it, and the result for the model. An error leaves the state
 * unchanged.
 */
export function play(tools, state, { name, arguments: args }) {
  const wrong = (content) => ({ state, content, isError: true });
  const found = tools.find((one) => one.name === name);
  if (!found) return wrong(`There is no tool "${name}": there are ${tools.map((one) => one.name).join(", ")}.`);
  const { parameters, run } = found;
  const issues = validateValue(args, parameters);
  if (issues.length > 0)
    return wrong(explainInvalidArguments({ name, arguments: args, issues, schema: parameters }).feedback);
  const next = structuredClone(state);
  try {
    const told = run(next, args) ?? "done";
    return { state: next, content: typeof told === "string" ? told : JSON.stringify(told), isError: false };
  } catch (error) {
    return wrong(error.message);
  }
}

/** Whether two calls are the same; the case and punctuation of texts do not count. */
export const isSameCall = (one, other) =>
  one.name === other.name && isSame(Object.entries(one.arguments), Object.entries(other.arguments));

/** Whether two states are the same. The order of lists, ids, and the case and punctuation of texts do not count. */
export const isSame = (one, other) => JSON.stringify(essence(one)) === JSON.stringify(essence(other));

function essence(value) {
  if (typeof value === "string") return bare(value);
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(essence(item))).sort();
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "id");
  return entries.map(([key, item]) => [bare(key), essence(item)]).sort(([a], [b]) => (a < b ? -1 : 1));
}
