// The match rule of the Berkeley Function Calling Leaderboard for Python (its `ast_checker`), verified against it by
// check-score.mjs. One difference remains: JSON in JavaScript does not distinguish 2 from 2.0.

/**
 * Whether a reply's calls are right. Irrelevance: there are none; relevance: there is at least one; otherwise exactly
 * those of the truth, in any order.
 */
export function isRight({ category, functions, truth }, calls) {
  if (category.includes("irrelevance")) return calls.length === 0;
  if (category.includes("relevance")) return calls.length > 0;
  if (calls.length !== truth.length) return false;
  const left = [...calls];
  return truth.every((wanted) => {
    const found = left.findIndex((call) => fitsCall(call, wanted, functions));
    if (found >= 0) left.splice(found, 1);
    return found >= 0;
  });
}

function fitsCall(call, wanted, functions) {
  const [[name, answers]] = Object.entries(wanted);
  const declared = functions.find((one) => one.name === name);
  if (!declared || call.name !== name) return false;
  const { properties, required = [] } = declared.parameters;
  const given = call.arguments;
  return (
    required.every((key) => Object.hasOwn(given, key)) &&
    Object.entries(given).every(
      ([key, value]) =>
        Object.hasOwn(properties, key) &&
        Object.hasOwn(answers, key) &&
        fitsValue(value, answers[key], properties[key]),
    ) &&
    Object.keys(answers).every((key) => Object.hasOwn(given, key) || answers[key].includes(""))
  );
}

const KINDS = {
  string: "string",
  any: "string",
  integer: "integer",
  float: "number",
  boolean: "boolean",
  array: "array",
  tuple: "array",
  dict: "object",
};

function kindOf(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** A whole number will do where any number is wanted. */
const isKind = (value, kind) => kindOf(value) === kind || (kind === "number" && kindOf(value) === "integer");

/** The type of the first answer with a value. */
const answerKind = (answers) => {
  const first = Array.isArray(answers) ? answers.find((answer) => answer !== "") : undefined;
  return first === undefined ? undefined : kindOf(first);
};

function fitsValue(value, answers, { type, items }) {
  const kind = KINDS[type];
  const inner = kind === "array" ? KINDS[items?.type] : undefined;
  const expected = answerKind(answers);
  // The answer has another type than declared, such as a variable's name in place of a number.
  let variable = expected !== undefined && expected !== kind;
  const typed =
    isKind(value, kind) && (inner === undefined || answers.some((answer) => fitsItems(value, answer, inner)));
  if (!typed) {
    if (expected === undefined || kindOf(value) !== expected) return false;
    variable = true;
  }
  if (!variable) {
    if (kind === "object") return fitsObject(value, answers);
    if (kind === "array" && inner === "object") return answers.some((answer) => fitsObjects(value, answer));
    if (kind === "string") return answers.some((answer) => typeof answer === "string" && bare(answer) === bare(value));
    // "", which allows to leave the list out, allows an empty one as well.
    if (kind === "array") return answers.some((answer) => equal(value.map(bare), [...answer].map(bare)));
  }
  return answers.some((answer) => equal(answer, value));
}

const fitsItems = (values, answer, inner) =>
  !Array.isArray(answer) || values.every((value) => isKind(value, inner) || kindOf(value) === answerKind(answer));

function fitsObject(value, answers) {
  return answers.some(
    (answer) =>
      answer !== "" &&
      Object.entries(value).every(
        ([key, one]) => Object.hasOwn(answer, key) && [...answer[key]].some((other) => equal(bare(one), bare(other))),
      ) &&
      Object.keys(answer).every((key) => Object.hasOwn(value, key) || answer[key].includes("")),
  );
}

const fitsObjects = (values, answers) =>
  values.length === answers.length &&
  values.every((value, i) => kindOf(value) === "object" && fitsObject(value, [answers[i]]));

/** A text without what does not count: spaces, punctuation, case, the kind of quotation marks. */
const bare = (value) =>
  typeof value === "string"
    ? value
        .replace(/[ ,./\-_*^]/g, "")
        .toLowerCase()
        .replaceAll("'", '"')
    : value;

/** Equality as Python has it: true is 1. */
function equal(a, b) {
  const [x, y] = [a, b].map((value) => (typeof value === "boolean" ? Number(value) : value));
  if (Array.isArray(x)) return Array.isArray(y) && x.length === y.length && x.every((one, i) => equal(one, y[i]));
  if (kindOf(x) !== "object") return x === y;
  if (kindOf(y) !== "object" || Object.keys(x).length !== Object.keys(y).length) return false;
  return Object.keys(x).every((key) => Object.hasOwn(y, key) && equal(x[key], y[key]));
}
