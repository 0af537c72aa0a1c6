import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";

// What the docstrings show is true: each line `expression; // value` of an `@example` gives this value, with the names that its
// package and the core export. Examples that need more (a model, a server), that wait for something, and
// values that are shown in part ("…") or in words, are not checked.

const packages = fileURLToPath(new URL("../packages", import.meta.url));

type Scope = Record<string, unknown>;

/** One `@example` with values: its statements, and the line in its file. */
interface Example {
  line: number;
  statements: { code: string; value: string | undefined }[];
}

function examplesOf(text: string): Example[] {
  return [...text.matchAll(/@example\s((?:(?!\*\/|@example)[\s\S])*)/g)].map(({ 1: code = "", index }) => ({
    line: text.slice(0, index).split("\n").length,
    statements: statementsOf(code.replace(/^\s*\* ?/gm, "")),
  }));
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

/** What the statements of an example give, with what its comments show; nothing where it cannot run by itself. */
function valuesOf({ statements }: Example, scope: Scope): { code: string; got: unknown; shown: unknown }[] {
  const body = statements.map(({ code, value }, i) =>
    value === undefined ? code : `__given[${i}] = __give(() => ${code});`,
  );
  const __given: unknown[] = [];
  try {
    run(body.join("\n"), { ...scope, __given, __give: given });
  } catch {
    return [];
  }
  return statements.flatMap(({ code, value }, i) =>
    value === undefined ? [] : [{ code, got: __given[i], shown: shownIn(value, __given[i], scope) }],
  );
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

/** What a comment shows: code, an error, or a text without its quotes. Everything else is a remark on what there is. */
function shownIn(comment: string, got: unknown, scope: Scope): unknown {
  const [, message] = /^throws:? (.*)/.exec(comment) ?? [];
  if (message !== undefined)
    return [String(got), Object(got).message].some((said) => said.startsWith(message)) ? got : comment;
  if (got === comment) return got;
  try {
    return run(`return (${comment})`, scope);
  } catch {
    return got;
  }
}

/** The files of a package that can be loaded without running a program. */
const sources = (name: string): string[] =>
  readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && path !== "bin.ts")
    .map((path) => join(packages, name, "src", path));

const moduleAt = (path: string): Promise<Scope> => import(path);

/** Every name that a package exports somewhere. */
const scopeOf = async (name: string): Promise<Scope> =>
  Object.assign({}, ...(await Promise.all(sources(name).map(moduleAt))));

test("what the examples in docstrings show is what they give", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  const core = await scopeOf("core");
  const checked: { at: string; code: string; got: unknown; shown: unknown }[] = [];
  for (const name of readdirSync(packages)) {
    const own = await scopeOf(name);
    for (const path of sources(name)) {
      const examples = examplesOf(readFileSync(path, "utf8"));
      const scope: Scope = examples.length === 0 ? {} : { ...core, ...own, ...(await moduleAt(path)) };
      for (const example of examples) {
        const at = `${relative(packages, path)}:${example.line}`;
        checked.push(...valuesOf(example, scope).map((value) => ({ at, ...value })));
      }
    }
  }
  expect(checked.filter(({ got, shown }) => !isDeepStrictEqual(got, shown))).toEqual([]);
  expect(checked.length).toBeGreaterThan(200);
});
