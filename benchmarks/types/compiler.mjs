// What the TypeScript compiler says of each value: the oracle.
import ts from "typescript";

const options = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
};

/** Each case with its values and whether they fit the type. */
export function judged(cases) {
  const files = new Map(
    cases.map((one, i) => {
      const lines = one.values.map((value, n) => `const v${n}: ${one.type} = ${JSON.stringify(value)};`);
      return [`/case${i}.ts`, `export {};\n${one.source}\n${lines.join("\n")}\n`];
    }),
  );
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.getSourceFile = (path, ...rest) =>
    files.has(path) ? ts.createSourceFile(path, files.get(path), rest[0]) : getSourceFile(path, ...rest);
  const program = ts.createProgram([...files.keys()], options, host);
  return cases.map((one, i) => {
    const file = program.getSourceFile(`/case${i}.ts`);
    const first = 1 + one.source.split("\n").length;
    const errors = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    const lines = new Set(errors.map(({ start }) => file.getLineAndCharacterOfPosition(start).line));
    const own = [...lines].filter((line) => line < first);
    if (own.length > 0)
      throw new Error(
        `${one.name} is no TypeScript: ${errors.map((error) => ts.flattenDiagnosticMessageText(error.messageText, " "))}`,
      );
    const values = one.values.map((value, n) => [value, !lines.has(first + n)]);
    return { ...one, values: [...values, ...(one.fits ?? [])] };
  });
}
