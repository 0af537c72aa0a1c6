import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";

// What the docstrings show is true: each line `expression; // value` of an `@example` gives this value, with the names of its
// own file and of the indexes of its package and the core. An example that waits for something or needs other names (a model,
// a server) is not run, and a value that is shown in part ("…") or in words is not checked.

const packages = fileURLToPath(new URL("../packages", import.meta.url));

type Scope = Record<string, unknown>;

/** One `@example` with values: its statements, and the line in its file. */
interface Example {
  line: number;
  statements: { code: string; value: string | undefined }[];
}

/** The examples with values. */
function examplesOf(text: string): Example[] {
  return [...text.matchAll(/@example\s((?:(?!\*\/|@example)[\s\S])*)/g)].flatMap(({ 1: code = "", index }) => {
    const statements = statementsOf(code.replace(/^\s*\* ?/gm, ""));
    const line = text.slice(0, index).split("\n").length;
    return statements.some(({ value }) => value !== undefined) ? [{ line, statements }] : [];
  });
}

/** The statements of the code, each with the value in the comment at its end. */
function statementsOf(code: string): Example["statements"] {
  const statements: Example["statements"] = [];
  let written = "";
  for (const line of code.split("\n")) {
    const [, part = line, comment] = /^(.*;)\s*(?:\/\/ (.*))?$/.exec(line) ?? [];
    written += `${part}\n`;
    const statement = written.trim().replace(/;$/, "");
    const isExpression = isCode(`return (${statement})`);
    if (part === line && comment === undefined && !isCode(statement)) continue;
    const value = isExpression && comment !== undefined && !comment.includes("…") ? comment.trim() : undefined;
    statements.push({ code: statement, value });
    written = "";
  }
  return written.trim() === "" ? statements : [...statements, { code: written, value: undefined }];
}

const run = (code: string, scope: Scope): unknown => new Function(...Object.keys(scope), code)(...Object.values(scope));

function isCode(code: string): boolean {
  try {
    return Boolean(new Function(code));
  } catch {
    return false;
  }
}

interface Checked {
  code: string;
  got: unknown;
  shown: unknown;
}

/** What the statements of an example give, with what its comments show; nothing where it cannot run by itself. */
function valuesOf({ statements }: Example, scope: Scope): Checked[] {
  const body = statements.map(({ code, value }, i) =>
    value === undefined ? code : `__given[${i}] = __give(() => ${code});`,
  );
  const __given: unknown[] = [];
  try {
    run(body.join("\n"), { ...scope, __given, __give: given });
  } catch {
    return [];
  }
  return statements.flatMap(({ code, value }, i) => {
    const shown = value === undefined ? REMARK : shownIn(value, __given[i], scope);
    return shown === REMARK ? [] : [{ code, got: __given[i], shown }];
  });
}

/** The value of an expression, or the error that it throws. */
function given(value: () => unknown): unknown {
  try {
    return value();
  } catch (error) {
    if (error instanceof ReferenceError) throw error;
    return error;
  }
}

const REMARK = Symbol("remark");

/** What a comment shows: code, an error, or a text without its quotes. Everything else is a remark. */
function shownIn(comment: string, got: unknown, scope: Scope): unknown {
  const [, message] = /^throws:? (.*)/.exec(comment) ?? [];
  if (message !== undefined)
    return [String(got), Object(got).message].some((said) => said.startsWith(message)) ? got : comment;
  if (got === comment) return got;
  try {
    return run(`return (${comment})`, scope);
  } catch {
    return REMARK;
  }
}

/** The files of a package that can be loaded without running a program. */
const sources = (name: string): string[] =>
  readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && path !== "bin.ts")
    .map((path) => join(packages, name, "src", path));

const isIndex = (path: string) => basename(path) === "index.ts";

async function namesIn(paths: readonly string[]): Promise<Scope> {
  const names: Scope = {};
  for (const path of paths) Object.assign(names, await import(path));
  return names;
}

test("what the examples in docstrings show is what they give", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), "examples-"));
  process.chdir(folder);
  onTestFinished(() => {
    vi.restoreAllMocks();
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });
  const core = await namesIn(sources("core").filter(isIndex));
  const checked: (Checked & { at: string })[] = [];
  for (const name of readdirSync(packages)) {
    const own = await namesIn(sources(name).filter(isIndex));
    for (const path of sources(name)) {
      const examples = examplesOf(readFileSync(path, "utf8"));
      if (examples.length === 0) continue;
      const scope = { ...core, ...own, ...(await namesIn([path])) };
      for (const example of examples) {
        const at = `${relative(packages, path)}:${example.line}`;
        checked.push(...valuesOf(example, scope).map((value) => ({ at, ...value })));
      }
    }
  }
  expect(checked.filter(({ got, shown }) => !isDeepStrictEqual(got, shown))).toEqual([]);
  expect(checked.length).toBeGreaterThan(150);
});
