// A hundred types: what the schemas of three packages say of values, beside what the compiler says of them.
import { readFileSync, writeFileSync } from "node:fs";
import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { cases as all } from "./cases.mjs";
import { judged } from "./compiler.mjs";
import { generator, installPeers, ours, typia } from "./makers.mjs";

installPeers();
const cases = judged(all);
const values = cases.reduce((sum, one) => sum + one.values.length, 0);
const words = cases.reduce((sum, one) => sum + one.words.length, 0);
console.log(`${cases.length} types, ${values} values judged by the compiler, ${words} descriptions\n`);

const ajvOf = (dialect) => {
  const Class = dialect === "draft-07" ? (Ajv.default ?? Ajv) : (Ajv2020.default ?? Ajv2020);
  return (addFormats.default ?? addFormats)(new Class({ strict: false, logger: false }));
};

function score({ made, dialect, ms, version }) {
  const wrong = [];
  const counts = { schemas: 0, rightTypes: 0, rightValues: 0, takesTooMuch: 0, takesTooLittle: 0, words: 0 };
  for (const [i, one] of cases.entries()) {
    const { schema, error } = made[i];
    if (!schema) {
      wrong.push({ type: one.name, error });
      continue;
    }
    counts.schemas++;
    const text = JSON.stringify(schema);
    counts.words += one.words.filter((word) => text.includes(word)).length;
    let validate;
    try {
      validate = ajvOf(dialect).compile(schema);
    } catch (cause) {
      wrong.push({ type: one.name, error: `no schema that can be compiled: ${cause.message}` });
      continue;
    }
    const off = one.values.filter(([value, fits]) => validate(value) !== fits);
    counts.rightValues += one.values.length - off.length;
    counts.takesTooMuch += off.filter(([, fits]) => !fits).length;
    counts.takesTooLittle += off.filter(([, fits]) => fits).length;
    if (off.length === 0) counts.rightTypes++;
    else
      wrong.push({
        type: one.name,
        values: off.map(([value, fits]) => `${JSON.stringify(value)} ${fits ? "is refused" : "is taken"}`),
      });
  }
  return { ...(version && { version }), ...counts, ms: Math.round(ms), wrong };
}

const results = {};
for (const [name, make] of Object.entries({
  "@toolingua/schema-from-types": ours,
  typia,
  "ts-json-schema-generator": generator,
})) {
  results[name] = score(await make(cases));
}
console.table(
  Object.fromEntries(
    Object.entries(results).map(([name, one]) => [
      name,
      {
        "schemas made": one.schemas,
        "types right": one.rightTypes,
        [`values right of ${values}`]: one.rightValues,
        "taken though wrong": one.takesTooMuch,
        "refused though right": one.takesTooLittle,
        [`descriptions of ${words}`]: one.words,
        ms: one.ms,
      },
    ]),
  ),
);
for (const [name, { wrong }] of Object.entries(results)) {
  console.log(`\n${name}:`);
  for (const { type, error, values: off } of wrong) console.log(`  ${type}: ${error ?? off.join("; ")}`);
}
const file = new URL("./results.json", import.meta.url);
const { version } = JSON.parse(
  readFileSync(new URL("./node_modules/typescript/package.json", import.meta.url), "utf8"),
);
if (!process.argv.includes("--quick")) {
  writeFileSync(
    file,
    `${JSON.stringify({ types: cases.length, values, words, typescript: version, node: process.version, results }, undefined, 2)}\n`,
  );
}
