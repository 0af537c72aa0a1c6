// The schemas, and values with their expected verdicts: `{ set, name, schema, tests: [{ data, valid }] }`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { loadQuestions } from "../accuracy/questions.mjs";
import { sourceFolder } from "../accuracy/wheel.mjs";
import { mutations } from "./mutations.mjs";

/** The last sources of this package have the official test suite of JSON Schema in them. */
export const SUITE = "jsonschema==4.17.3";
const DRAFT = "https://json-schema.org/draft/2020-12/schema";

/** The suite's schemas of draft 2020-12 that need no other document. */
export function suiteCases(folder = join(sourceFolder(SUITE), "json", "tests", "draft2020-12")) {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.flatMap((file) =>
    JSON.parse(readFileSync(join(folder, file), "utf8"))
      .filter(({ schema }) => !/localhost:1234|"\$ref":"http|"\$vocabulary/.test(JSON.stringify(schema)))
      .map(({ description, schema, tests }) => ({
        ...{ set: "JSON Schema's test suite", name: `${file}: ${description}` },
        schema: typeof schema === "object" ? { $schema: DRAFT, ...schema } : schema,
        tests: tests.map(({ data, valid }) => ({ data, valid })),
      })),
  );
}

const CATEGORIES = ["simple_python", "multiple", "live_simple", "live_multiple"];

/**
 * The parameters of the leaderboard's tools, each schema once. Its values are those of the right calls, and changed
 * copies of them (a key missing, another type, a value outside an enum, …), each valid or not by Ajv's verdict.
 */
export function toolCases(questions = CATEGORIES.flatMap((category) => loadQuestions(category))) {
  const ajv = new Ajv({ strict: false, logger: false });
  const found = new Map();
  for (const { tools, truth } of questions) {
    for (const call of truth) {
      const [[name, answers]] = Object.entries(call);
      const schema = tools.find((tool) => tool.name === name)?.parameters;
      const key = JSON.stringify(schema);
      const right = rightValue(schema, answers);
      if (!schema || !right || found.has(key)) continue;
      const isValid = ajv.compile(schema);
      if (!isValid(right)) continue; // the leaderboard's own answers do not always fit its types
      const tests = [right, ...mutations(right, schema)].map((data) => ({ data, valid: isValid(data) }));
      found.set(key, { set: "tools of the leaderboard", name, schema, tests });
    }
  }
  return [...found.values()];
}

/** The first right value of each argument; undefined if the answers contain no complete value. */
function rightValue(schema, answers) {
  const required = new Set(schema?.required);
  const entries = Object.entries(answers).flatMap(([key, values]) => {
    const value = values.find((one) => one !== "");
    return value === undefined || (!required.has(key) && values.includes("")) ? [] : [[key, plain(value)]];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** The answers to an argument that is an object list right values key by key: of each the first. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, list]) => {
      const one = Array.isArray(list) ? list.find((item) => item !== "") : list;
      return one === undefined ? [] : [[key, plain(one)]];
    }),
  );
}
