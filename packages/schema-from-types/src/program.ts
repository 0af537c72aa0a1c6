import { dirname, resolve } from "node:path";
import ts from "typescript";
import { SchemaFromTypesError, type SourceProblem } from "./errors.js";

const defaults: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};

/** The source files of a program, checked: types that the compiler could not find would read as `any`. */
export interface CheckedProgram {
  checker: ts.TypeChecker;
  files: ts.SourceFile[];
  /** The compiler's errors, if they are reported and tolerated. */
  errors: readonly ts.Diagnostic[];
  isLibrary(file: ts.SourceFile): boolean;
}

/**
 * Compiles files with the `tsconfig.json` nearest to the first of them, or the given one. Compiler errors are passed to
 * `onProblem`; without it, they are thrown.
 */
export function programOfFiles(
  files: readonly string[],
  tsconfig?: string | undefined,
  onProblem?: ((problem: SourceProblem) => void) | undefined,
): CheckedProgram {
  // A file that is named twice is read once.
  const names = [...new Set(files.map((file) => resolve(file)))];
  const config = tsconfig ?? ts.findConfigFile(dirname(names[0] ?? "."), ts.sys.fileExists);
  const options = { ...optionsOf(config), noEmit: true, skipLibCheck: true };
  return checked(ts.createProgram(names, options, hostFor(options)), names, onProblem);
}

/** The declarations of the language, parsed once per target, because they are most of a small program's input. */
const declarations = new Map<string, ts.SourceFile | undefined>();

function hostFor(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  const folder = dirname(ts.getDefaultLibFilePath(options)).replaceAll("\\", "/");
  host.getSourceFile = (path, ...rest) => {
    if (!path.startsWith(`${folder}/`)) return getSourceFile(path, ...rest);
    const key = `${options.target} ${path}`;
    if (!declarations.has(key)) declarations.set(key, getSourceFile(path, ...rest));
    return declarations.get(key);
  };
  return host;
}

/** Compiles TypeScript source as if it were a file of that name. */
export function programOfSource(source: string, name = "source.ts"): CheckedProgram {
  const file = resolve(name).replaceAll("\\", "/");
  const options = { ...defaults, noEmit: true, skipLibCheck: true, types: [] };
  const host = hostFor(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.readFile = (path) => (path === file ? source : readFile(path));
  host.getSourceFile = (path, ...rest) =>
    path === file ? ts.createSourceFile(path, source, rest[0]) : getSourceFile(path, ...rest);
  return checked(ts.createProgram([file], options, host), [file]);
}

function optionsOf(config: string | undefined): ts.CompilerOptions {
  if (config === undefined) return defaults;
  const { config: json, error } = ts.readConfigFile(config, ts.sys.readFile);
  if (error) throw new SchemaFromTypesError("type-error", [problemOf(error, config)]);
  // Errors are ignored: project references are irrelevant here, and options of later compilers are unknown to this one.
  const path = resolve(config);
  // By its path the compiler looks for types near the configuration, and not in the folder of the process.
  const { options } = ts.parseJsonConfigFileContent(json, ts.sys, dirname(path), undefined, path);
  const { composite, incremental, tsBuildInfoFile, declaration, declarationMap, emitDeclarationOnly, ...rest } =
    options;
  return { ...defaults, ...rest, strict: true };
}

function checked(
  program: ts.Program,
  names: readonly string[],
  onProblem?: ((problem: SourceProblem) => void) | undefined,
): CheckedProgram {
  // The compiler also reads JSON, which has no functions.
  const sourceOf = (name: string) => (name.endsWith(".json") ? undefined : program.getSourceFile(name));
  const files = names.flatMap((name) => sourceOf(name) ?? []);
  const missing = names.filter((name) => !sourceOf(name));
  const errors = files.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  const problems = [
    ...missing.map((file) => ({ file, line: 1, column: 1, message: whyUnread(file) })),
    ...errors.map((error) => problemOf(error, names[0] ?? "")),
  ];
  if (problems.length > 0 && !onProblem) throw new SchemaFromTypesError("type-error", problems);
  for (const problem of problems) onProblem?.(problem);
  return {
    checker: program.getTypeChecker(),
    files,
    errors,
    isLibrary: (file) => program.isSourceFileDefaultLibrary(file),
  };
}

function whyUnread(file: string): string {
  if (ts.sys.directoryExists(file)) return "It is a folder. Name the files in it.";
  return ts.sys.fileExists(file) ? "It is no file of TypeScript (.ts, .mts, .cts, .tsx)." : "There is no such file.";
}

function problemOf({ file, start = 0, messageText }: ts.Diagnostic, fallback: string): SourceProblem {
  const message = ts.flattenDiagnosticMessageText(messageText, " ");
  return file ? { ...placeOf(file, start), message } : { file: fallback, line: 1, column: 1, message };
}

/** The line and column of a position, starting at 1. */
export function placeOf(file: ts.SourceFile, position: number): Omit<SourceProblem, "message"> {
  const { line, character } = file.getLineAndCharacterOfPosition(position);
  return { file: file.fileName, line: line + 1, column: character + 1 };
}
