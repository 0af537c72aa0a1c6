import type { ToolDefinition } from "@toolingua/core";
import ts from "typescript";
import { annotationsOf, described } from "./annotations.js";
import { SchemaFromTypesError, type SourceProblem } from "./errors.js";
import { literalValue } from "./literal-value.js";
import { type CheckedProgram, placeOf } from "./program.js";
import { annotated, type Schema, TypeSchemas } from "./type-schema.js";

/** A definition of every function that the files export; of those named, where some are. */
export function toolsOf(program: CheckedProgram, only?: readonly string[] | undefined): ToolDefinition[] {
  const problems: SourceProblem[] = [];
  const tools = new Map<string, ToolDefinition>();
  for (const file of program.files) {
    for (const { name, symbol, signatures, declaration } of functionsOf(file, program)) {
      if (only && !only.includes(name)) continue;
      const schemas = new TypeSchemas(program);
      if (signatures.length > 1)
        schemas.problem(declaration, `${name} has ${signatures.length} signatures, and a tool has one.`);
      if (tools.has(name))
        schemas.problem(declaration, `Two functions are named ${name}, and tools' names are unique.`);
      const parameters = new Parameters(program, schemas, declaration).schema(signatures[0]!);
      const { description } = described(symbol.getDocumentationComment(program.checker));
      tools.set(name, { name, ...(description !== undefined && { description }), parameters });
      problems.push(...schemas.problems);
    }
  }
  if (problems.length > 0) throw new SchemaFromTypesError("no-json-form", problems);
  const missing = only?.filter((name) => !tools.has(name)) ?? [];
  const place = program.files[0] ? placeOf(program.files[0], 0) : { file: "", line: 1, column: 1 };
  const lacks = missing.map((name) => ({ ...place, message: `No function named ${name} is exported.` }));
  if (lacks.length > 0) throw new SchemaFromTypesError("no-function", lacks);
  return [...tools.values()];
}

interface ExportedFunction {
  name: string;
  symbol: ts.Symbol;
  signatures: readonly ts.Signature[];
  declaration: ts.Declaration;
}

function functionsOf(file: ts.SourceFile, { checker }: CheckedProgram): ExportedFunction[] {
  const module = checker.getSymbolAtLocation(file);
  if (!module) return [];
  const found = checker.getExportsOfModule(module).flatMap((exported): ExportedFunction[] => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const declaration = symbol.valueDeclaration;
    if (!declaration || symbol.getJsDocTags(checker).some((tag) => tag.name === "internal")) return [];
    const signatures = checker.getTypeOfSymbolAtLocation(symbol, declaration).getCallSignatures();
    const name = exported.getName() === "default" ? ownName(declaration, file) : exported.getName();
    return signatures.length > 0 ? [{ name, symbol, signatures, declaration }] : [];
  });
  return found.sort((a, b) => a.declaration.pos - b.declaration.pos);
}

/** What a default export is called: by its own name, or by its file's. */
function ownName(declaration: ts.Declaration, file: ts.SourceFile): string {
  const name = ts.getNameOfDeclaration(declaration);
  if (name && ts.isIdentifier(name)) return name.text;
  return /([^/\\]+?)(?:\.[^/\\]*)?$/.exec(file.fileName)?.[1] ?? "default";
}

/** Whether a list must have something in it: a tuple with items that are not optional. */
const needsItems = (type: ts.Type, checker: ts.TypeChecker) =>
  checker.isTupleType(type) && (type as ts.TupleTypeReference).target.minLength > 0;

/** Parameters as the properties of one object, which the arguments of a call are. */
class Parameters {
  /** What JSDoc says of parts of a parameter: `@param options.city`. */
  private readonly parts: ReadonlyMap<string, string>;

  constructor(
    private readonly program: CheckedProgram,
    private readonly schemas: TypeSchemas,
    private readonly declaration: ts.Declaration,
  ) {
    const tags = ts.getJSDocTags(declaration).filter(ts.isJSDocParameterTag);
    const part = (tag: ts.JSDocParameterTag) =>
      [tag.name.getText(), described(ts.getTextOfJSDocComment(tag.comment)).description ?? ""] as const;
    this.parts = new Map(tags.map(part));
  }

  schema(signature: ts.Signature): Schema {
    const all = signature.getParameters();
    const alone = all.length === 1 ? this.whole(all[0]!) : undefined;
    const schema = alone ?? this.each(all);
    const { definitions } = this.schemas;
    return { ...schema, ...(Object.keys(definitions).length > 0 && { $defs: definitions }) };
  }

  /** The only parameter, where it is an object: its properties are the arguments. */
  private whole(parameter: ts.Symbol): Schema | undefined {
    const { schema, isOptional, name } = this.parameter(parameter);
    const target =
      typeof schema.$ref === "string" ? this.schemas.definitions[schema.$ref.slice("#/$defs/".length)]! : schema;
    const branches = target.anyOf;
    const isObject =
      target.type === "object" || (Array.isArray(branches) && branches.every((one: Schema) => one.type === "object"));
    // Left out it would be undefined, which no object is.
    if (!isObject || (isOptional && (Array.isArray(target.required) || branches !== undefined))) return undefined;
    const { description, default: fallback, ...rest } = target;
    return this.withParts({ type: "object", ...rest }, name, parameter);
  }

  private each(parameters: readonly ts.Symbol[]): Schema {
    const read = parameters.map((one) => this.parameter(one));
    const properties = read.map(({ name, schema }, i) => {
      if (name === undefined) {
        const at = parameters[i]?.valueDeclaration ?? this.declaration;
        this.schemas.problem(
          at,
          "A parameter that is taken apart has no name here: name it in JSDoc, `@param options`.",
        );
      }
      return [name ?? "", this.withParts(schema, name, parameters[i]!)] as const;
    });
    const required = read.flatMap(({ name, isOptional }) => (isOptional || name === undefined ? [] : [name]));
    return { type: "object", properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
  }

  private parameter(parameter: ts.Symbol): { name: string | undefined; schema: Schema; isOptional: boolean } {
    const { checker } = this.program;
    const node = parameter.valueDeclaration;
    const declared = node && ts.isParameter(node) ? node : undefined;
    const type = checker.getTypeOfSymbolAtLocation(parameter, node ?? this.declaration);
    const written = this.schemas.schema(type, declared ?? this.declaration);
    const [tag] = declared ? ts.getJSDocParameterTags(declared) : [];
    const said = described(tag && ts.getTextOfJSDocComment(tag.comment));
    const fallback = declared?.initializer && literalValue(declared.initializer, checker);
    const isPattern = declared && !ts.isIdentifier(declared.name);
    const name = isPattern ? tag?.name.getText() : parameter.getName();
    const isOptional =
      declared !== undefined &&
      (checker.isOptionalParameter(declared) ||
        declared.initializer !== undefined ||
        (declared.dotDotDotToken !== undefined && !needsItems(type, checker)));
    const mayBeMissing = isOptional || this.schemas.admitsUndefined(type);
    if (written === false && !mayBeMissing) {
      this.schemas.problem(
        declared ?? this.declaration,
        `${parameter.getName()} can never be given: no value fits its type.`,
      );
    }
    const annotations = { ...annotationsOf(parameter, checker), ...said, ...(fallback && { default: fallback.value }) };
    return {
      name,
      schema: annotated(written || { not: {} }, annotations),
      isOptional: mayBeMissing,
    };
  }

  /** What the parameter's own place says of its properties: defaults where it is taken apart, `@param options.city`. */
  private withParts(schema: Schema, name: string | undefined, parameter: ts.Symbol): Schema {
    if (typeof schema.properties !== "object") return schema;
    const fallbacks = this.fallbacks(parameter);
    const entry = ([key, property]: [string, unknown]) => {
      const description = [...this.parts].find(([path]) => path === `${name ?? "options"}.${key}`)?.[1];
      const fallback = fallbacks.get(key);
      if (typeof property !== "object") return [key, property];
      return [key, { ...property, ...(description && { description }), ...(fallback && { default: fallback.value }) }];
    };
    return { ...schema, properties: Object.fromEntries(Object.entries(schema.properties as Schema).map(entry)) };
  }

  private fallbacks({ valueDeclaration: node }: ts.Symbol): Map<string, { value: unknown }> {
    const pattern = node && ts.isParameter(node) && ts.isObjectBindingPattern(node.name) ? node.name.elements : [];
    const found = new Map<string, { value: unknown }>();
    for (const { propertyName, name, initializer } of pattern) {
      const key = propertyName ?? name;
      const fallback = initializer && literalValue(initializer, this.program.checker);
      if (fallback && (ts.isIdentifier(key) || ts.isStringLiteral(key))) found.set(key.text, fallback);
    }
    return found;
  }
}
