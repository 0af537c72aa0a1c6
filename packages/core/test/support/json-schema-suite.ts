import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonSchema } from "../../src/types.js";

/** One schema of the official JSON Schema test suite, and values with their expected verdicts. */
export interface SuiteGroup {
  file: string;
  description: string;
  schema: JsonSchema;
  tests: { description: string; data: unknown; valid: boolean }[];
}

/** The last sources of this Python package that have the suite within them. */
const version = "4.17.3";
const folder = join(tmpdir(), `toolingua-json-schema-suite-${version}`);

/** The suite is not on npm: fetched by pip once, where there is one. Undefined, or why it is missing. */
export function suiteMissing(): string | undefined {
  if (existsSync(folder)) return undefined;
  const fetched = mkdtempSync(join(tmpdir(), "toolingua-json-schema-suite-"));
  const python = (...args: string[]) => spawnSync("python3", ["-m", ...args], { cwd: fetched, timeout: 120_000 });
  const download = ["download", "--quiet", "--no-deps", "--no-binary=:all:", `jsonschema==${version}`];
  const { status, error } = python("pip", ...download);
  if (status !== 0) return error ? "there is no python3" : "pip cannot fetch the suite";
  if (python("tarfile", "-e", `jsonschema-${version}.tar.gz`).status !== 0) return "the suite cannot be unpacked";
  // Several processes may do so at once.
  if (!existsSync(folder)) renameSync(join(fetched, `jsonschema-${version}`, "json", "tests"), folder);
  return undefined;
}

/** Optional parts of the suite that are tested as well. */
const OPTIONAL = ["ecmascript-regex.json", "non-bmp-regex.json", "anchor.json", "id.json", "unknownKeyword.json"];

/** The groups of one draft that need no other document. */
export function suiteGroups(draft: string, uri: string): SuiteGroup[] {
  const required = readdirSync(join(folder, draft)).filter((file) => file.endsWith(".json"));
  const optional = OPTIONAL.map((file) => join("optional", file)).filter((file) =>
    existsSync(join(folder, draft, file)),
  );
  return [...required, ...optional].flatMap((file) => {
    const groups = JSON.parse(readFileSync(join(folder, draft, file), "utf8")) as Omit<SuiteGroup, "file">[];
    return groups
      .filter(({ schema }) => !/localhost:1234|"\$ref":"http|"\$vocabulary/.test(JSON.stringify(schema)))
      .map((group) => ({ ...group, file, schema: ofDraft(group.schema, uri) }));
  });
}

/** Only the newest files declare their draft. */
const ofDraft = (schema: JsonSchema, uri: string): JsonSchema =>
  typeof schema === "object" ? { $schema: uri, ...schema } : schema;
