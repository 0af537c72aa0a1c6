import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const version = "1.9.1";
const packages = join(tmpdir(), `toolingua-llguidance-${version}`);
const script = fileURLToPath(new URL("./judge_lark.py", import.meta.url));

/** llguidance is only for Python and Rust: installed by pip once, where there is one. Undefined, or why it is missing. */
export function llguidanceMissing(): string | undefined {
  if (existsSync(join(packages, "llguidance"))) return undefined;
  const wanted = ["install", "--quiet", "--no-deps", "--only-binary=:all:", "--target", packages];
  const { status, error } = spawnSync("python3", ["-m", "pip", ...wanted, `llguidance==${version}`], {
    timeout: 60_000,
  });
  if (status === 0) return undefined;
  return error ? "there is no python3" : `pip cannot install llguidance ${version}`;
}

/** llguidance's own judgement of texts, for several grammars in its Lark. Throws for one that it does not read. */
export function llguidanceVerdicts(cases: readonly { grammar: string; texts: readonly string[] }[]): boolean[][] {
  const { stdout, stderr, status } = spawnSync("python3", [script], {
    input: JSON.stringify(cases),
    encoding: "utf8",
    maxBuffer: 1e8,
    env: { ...process.env, PYTHONPATH: packages },
  });
  if (status !== 0) throw new Error(stderr);
  const verdicts = JSON.parse(stdout) as (boolean[] | string)[];
  const wrong = verdicts.find((verdict) => typeof verdict === "string");
  if (wrong !== undefined) throw new Error(wrong);
  return verdicts as boolean[][];
}
