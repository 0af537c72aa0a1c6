import type { JsonSchema, ToolDefinition } from "@toolingua/core";
import { didYouMean, nearestNames } from "@toolingua/core/adapters";
import ts from "typescript";
import { annotationsOf, described } from "./annotations.js";
import { SchemaFromTypesError, type SourceProblem } from "./errors.js";
import { type ExportedFunction, functionsOf } from "./exported-functions.js";
import { literalValue } from "./literal-value.js";
import { type Taking, taking } from "./positional-arguments.js";
import { type CheckedProgram, placeOf } from "./program.js";
import type { Schema } from "./schema.js";
import { TypeSchemas } from "./type-schema.js";

/** A tool's definition, with the JSON Schema of the function's result if its type is known. */
export interface FunctionDefinition extends ToolDefinition {
  resultSchema?: JsonSchema;
}

/** The options for selecting and converting functions. */
export interface FunctionOptions {
  /** The names of the functions to convert; a method also as `Weather.forecast`. */
  only?: readonly string[] | undefined;
  /** Whether to include the public methods of exported classes and objects. */
  methods?: boolean | undefined;
  /** Whether to include the schemas of results. */
  results?: boolean | undefined;
  /**
   * Whether the functions are called with the arguments as JSON has them, so that `Date` and `URL` are problems. Without it
   * they are strings, and the caller makes the objects.
   */
  jsonOnly?: boolean | undefined;
  /** Called for each problem; functions with problems are left out. Without it, all problems together are an error. */
  onProblem?: ((problem: SourceProblem) => void) | undefined;
}

/** A definition of every exported function, or of those named in `only`. */
export function toolsOf(program: CheckedProgram, options: FunctionOptions = {}): FunctionDefinition[] {
  const { only, methods = false, results = false, jsonOnly = false, onProblem } = options;
  const problems: SourceProblem[] = [];
  const tools = new Map<string, FunctionDefinition>();
  const seen = new Set<string>();
  for (const file of program.files) {
    for (const found of functionsOf(file, program, methods)) {
      const { name, owner, declaration } = found;
      const names = owner === undefined ? [name] : [name, `${owner}.${name}`];
      if (only && !names.some((one) => only.includes(one))) continue;
      for (const one of names) seen.add(one);
      // The compiler's error was already reported.
      if (program.errors.some((error) => isIn(error, declaration))) continue;
      const schemas = new TypeSchemas(program, jsonOnly);
      const tool = definitionOf(found, program, schemas, results);
      if (tools.has(name)) {
        const what = owner === undefined ? "functions" : "functions or methods";
        schemas.problem(declaration, `Two ${what} are named ${name}, and tools' names are unique.`);
      }
      if (schemas.problems.length === 0) tools.set(name, tool);
      problems.push(...schemas.problems);
    }
  }
  if (problems.length > 0 && !onProblem) throw new SchemaFromTypesError("no-json-form", problems);
  for (const problem of problems) onProblem?.(problem);
  const missing = only?.filter((name) => !seen.has(name)) ?? [];
  const place = program.files[0] ? placeOf(program.files[0], 0) : { file: "", line: 1, column: 1 };
  const lacks = missing.map((name) => {
    const hint = didYouMean(name, [...new Set([...seen, ...namesIn(program)])]);
    return { ...place, message: `No function named "${name}" is exported. ${hint}` };
  });
  if (lacks.length > 0) throw new SchemaFromTypesError("no-function", lacks);
  return [...tools.values()];
}

const namesIn = (program: CheckedProgram) =>
  program.files.flatMap((file) => functionsOf(file, program, true).map(({ name }) => name));

function isIn({ file, start = -1 }: ts.Diagnostic, declaration: ts.Declaration): boolean {
  // A parameter's default is inside the declaration; a variable's function is next to its name.
  return file === declaration.getSourceFile() && start >= declaration.pos && start < declaration.end;
}

function definitionOf(
  { name, symbol, signatures, declaration }: ExportedFunction,
  program: CheckedProgram,
  schemas: TypeSchemas,
  results: boolean,
): FunctionDefinition {
  if (signatures.length > 1)
    schemas.problem(declaration, `${name} has ${signatures.length} signatures, and a tool has one.`);
  const { parameters, how } = new Parameters(program, schemas, declaration).read(signatures[0]!);
  const { description } = described(symbol.getDocumentationComment(program.checker));
  const resultSchema = results ? resultOf(signatures[0]!, declaration, program) : undefined;
  const definition = {
    name,
    ...(description !== undefined && { description }),
    parameters,
    ...(resultSchema && { resultSchema }),
  };
  return taking(definition, how);
}

/** The schema of a function's (resolved) result; undefined for no result, any result, or one without a JSON form. */
function resultOf(signature: ts.Signature, node: ts.Node, program: CheckedProgram): Schema | undefined {
  const { checker } = program;
  const given = checker.getReturnTypeOfSignature(signature);
  const type = checker.getAwaitedType(given) ?? given;
  const schemas = new TypeSchemas(program);
  const schema = schemas.schema(type, node);
  if (schema === false || schemas.problems.length > 0 || schemas.admitsUndefined(type)) return undefined;
  if (Object.keys(schema).length === 0) return undefined;
  const { definitions } = schemas;
  return { ...schema, ...(Object.keys(definitions).length > 0 && { $defs: definitions }) };
}

/** Whether a list cannot be empty: a tuple with required items. */
const needsItems = (type: ts.Type, checker: ts.TypeChecker) =>
  checker.isTupleType(type) && (type as ts.TupleTypeReference).target.minLength > 0;

/** Parameters as the properties of a call's arguments object. */
class Parameters {
  /** The JSDoc of parts of a parameter: `@param options.city`. */
  private readonly parts: ReadonlyMap<string, string>;
  private readonly tags: readonly ts.JSDocParameterTag[];

  constructor(
    private readonly program: CheckedProgram,
    private readonly schemas: TypeSchemas,
    private readonly declaration: ts.Declaration,
  ) {
    const tags = ts.getJSDocTags(declaration).filter(ts.isJSDocParameterTag);
    this.tags = tags;
    const part = (tag: ts.JSDocParameterTag) =>
      [tag.name.getText(), described(ts.getTextOfJSDocComment(tag.comment)).description ?? ""] as const;
    this.parts = new Map(tags.map(part));
  }

  read(signature: ts.Signature): { parameters: Schema; how: Taking } {
    const all = signature.getParameters();
    this.checkTags(all);
    const alone = all.length === 1 ? this.whole(all[0]!) : undefined;
    const { schema, how } = alone ? { schema: alone, how: "object" as const } : this.each(all);
    const { definitions } = this.schemas;
    return { parameters: { ...schema, ...(Object.keys(definitions).length > 0 && { $defs: definitions }) }, how };
  }

  /** Reports tags of misspelt parameters. One of a parameter that is taken apart may have any name. */
  private checkTags(parameters: readonly ts.Symbol[]): void {
    const isPattern = ({ valueDeclaration: node }: ts.Symbol) =>
      node && ts.isParameter(node) && !ts.isIdentifier(node.name);
    if (parameters.some(isPattern)) return;
    const names = parameters.map((parameter) => parameter.getName());
    const named = this.tags.map((tag) => ({ tag, name: tag.name.getText().split(/[.[]/, 1)[0] ?? "" }));
    const free = names.filter((name) => !named.some((one) => one.name === name));
    for (const { tag, name } of named) {
      // Names of one or two letters resemble each other by chance.
      const meant = names.includes(name) || name.length < 3 ? undefined : nearestNames(name, free).meant;
      if (meant === undefined) continue;
      this.schemas.problem(tag, `The JSDoc describes a parameter "${name}". Did you mean "${meant}"?`);
    }
  }

  /** The schema of the only parameter, if it is an object: its properties are the arguments. */
  private whole(parameter: ts.Symbol): Schema | undefined {
    const { schema, isOptional, name } = this.parameter(parameter);
    const target =
      typeof schema.$ref === "string" ? this.schemas.definitions[schema.$ref.slice("#/$defs/".length)]! : schema;
    const branches = target.anyOf ?? target.oneOf;
    const isObject =
      target.type === "object" || (Array.isArray(branches) && branches.every((one: Schema) => one.type === "object"));
    // An omitted parameter is undefined, which is not an object.
    if (!isObject || (isOptional && (Array.isArray(target.required) || branches !== undefined))) return undefined;
    const { description, default: fallback, ...rest } = target;
    return this.withParts({ type: "object", ...rest }, name, parameter);
  }

  private each(parameters: readonly ts.Symbol[]): { schema: Schema; how: Taking } {
    const read = parameters.map((one) => this.parameter(one));
    const properties = read.map(({ name, schema }, i) => {
      if (name === undefined) {
        const at = parameters[i]?.valueDeclaration ?? this.declaration;
        this.schemas.problem(at, "A destructured parameter has no name: name it in JSDoc, `@param options`.");
      }
      return [name ?? "", this.withParts(schema, name, parameters[i]!)] as const;
    });
    const required = read.flatMap(({ name, isOptional }) => (isOptional || name === undefined ? [] : [name]));
    const last = parameters.at(-1)?.valueDeclaration;
    const rest = last !== undefined && ts.isParameter(last) && last.dotDotDotToken !== undefined;
    return {
      schema: { type: "object", properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) },
      how: { names: properties.map(([name]) => name), rest },
    };
  }

  private parameter(parameter: ts.Symbol): { name: string | undefined; schema: Schema; isOptional: boolean } {
    const { checker } = this.program;
    const node = parameter.valueDeclaration;
    const declared = node && ts.isParameter(node) ? node : undefined;
    const type = checker.getTypeOfSymbolAtLocation(parameter, node ?? this.declaration);
    const written = this.schemas.schema(type, declared ?? this.declaration, declared?.type);
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
        `${parameter.getName()} can never be given: no value matches its type.`,
      );
    }
    const annotations = { ...annotationsOf(parameter, checker), ...said, ...(fallback && { default: fallback.value }) };
    return {
      name,
      schema: { ...(written || { not: {} }), ...annotations },
      isOptional: mayBeMissing,
    };
  }

  /** Adds a parameter's own information on its properties: defaults of destructuring, and `@param options.city`. */
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
