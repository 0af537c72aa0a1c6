import { isObject } from "@toolingua/core/adapters";
import ts from "typescript";
import { annotationsOf } from "./annotations.js";
import type { CheckedProgram } from "./program.js";
import type { Schema } from "./schema.js";

const NAMED = ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface | ts.SymbolFlags.Class | ts.SymbolFlags.Enum;
const LISTS = ["Array", "ReadonlyArray"];

/** Adds the JSDoc of named types (aliases, interfaces, classes, enums) to the schemas where they are used. */
export class TypeDocs {
  private readonly known = new Map<ts.Symbol, Schema>();

  /** `onProblem`: called for impossible JSDoc tags. */
  constructor(
    private readonly program: CheckedProgram,
    private readonly onProblem: (node: ts.Node, message: string) => void,
    private readonly resolve: (schema: Schema) => Schema,
  ) {}

  /** The schema of a type with the JSDoc of the type itself. */
  ofType(type: ts.Type, schema: Schema, node: ts.Node): Schema {
    const symbol = type.aliasSymbol ?? type.getSymbol();
    return symbol && symbol.flags & NAMED ? this.merged(schema, this.docs(symbol), node) : schema;
  }

  /**
   * The same by the type as written in the source: the compiler no longer knows that a number was an `Age`, or that a
   * union is another union plus `undefined`.
   */
  ofNode(node: ts.TypeNode | undefined, schema: Schema): Schema {
    if (node === undefined || "$ref" in schema) return schema;
    if (ts.isParenthesizedTypeNode(node)) return this.ofNode(node.type, schema);
    if (ts.isTypeOperatorNode(node)) {
      return node.operator === ts.SyntaxKind.ReadonlyKeyword ? this.ofNode(node.type, schema) : schema;
    }
    if (ts.isArrayTypeNode(node)) return this.items(node.elementType, schema);
    if (ts.isUnionTypeNode(node)) {
      const others = node.types.filter((one) => !isNothing(one));
      return others.length === 1 ? this.ofNode(others[0], schema) : schema;
    }
    if (!ts.isTypeReferenceNode(node)) return schema;
    const symbol = this.symbolOf(node.typeName);
    if (symbol && LISTS.includes(symbol.name) && node.typeArguments?.length === 1) {
      return this.items(node.typeArguments[0], schema);
    }
    if (!symbol || !(symbol.flags & NAMED)) return schema;
    const alias = symbol.declarations?.find(ts.isTypeAliasDeclaration);
    const inner = alias && !alias.typeParameters ? this.ofNode(alias.type, schema) : schema;
    return this.merged(inner, this.docs(symbol), node);
  }

  private items(node: ts.TypeNode | undefined, schema: Schema): Schema {
    const { items } = schema;
    return isObject(items) ? { ...schema, items: this.ofNode(node, items) } : schema;
  }

  private symbolOf(name: ts.EntityName): ts.Symbol | undefined {
    const { checker } = this.program;
    const symbol = checker.getSymbolAtLocation(name);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }

  private docs(symbol: ts.Symbol): Schema {
    let docs = this.known.get(symbol);
    if (docs === undefined) {
      const files = symbol.declarations?.map((one) => one.getSourceFile()) ?? [];
      // The language's documentation of `Omit` does not describe the user's type.
      docs = files.some((file) => this.program.isLibrary(file)) ? {} : annotationsOf(symbol, this.program.checker);
      docs = { ...docs, ...this.members(symbol, docs.description) };
      this.known.set(symbol, docs);
    }
    return docs;
  }

  /** The meanings of the members of an enum, if documented. */
  private members(symbol: ts.Symbol, description: unknown): { description?: string } {
    const { checker } = this.program;
    const declaration = symbol.declarations?.find(ts.isEnumDeclaration);
    const lines = (declaration?.members ?? []).flatMap((member) => {
      const at = checker.getSymbolAtLocation(member.name);
      const { description: about } = at ? annotationsOf(at, checker) : {};
      return typeof about === "string" ? [`${JSON.stringify(checker.getConstantValue(member))}: ${about}`] : [];
    });
    if (lines.length === 0) return {};
    return { description: [...(typeof description === "string" ? [description] : []), ...lines].join("\n") };
  }

  private merged(schema: Schema, { discriminator, ...docs }: Schema, node: ts.Node): Schema {
    const told = typeof discriminator === "string" ? this.discriminated(schema, discriminator, node) : schema;
    return { ...told, ...docs };
  }

  /** A union in OpenAPI's form: a property identifies the member of a value. */
  private discriminated(schema: Schema, propertyName: string, node: ts.Node): Schema {
    // Already converted, once by the type itself and once where it is used.
    if (!Array.isArray(schema.anyOf)) return schema;
    const isNull = (one: Schema) => one.type === "null";
    const members = (schema.anyOf as Schema[]).filter((one) => !isNull(one));
    const values = members.flatMap((one) => valuesOf(this.resolve(one), propertyName));
    const isTagged = members.every((one) => valuesOf(this.resolve(one), propertyName).length > 0);
    if (!isTagged || new Set(values).size < values.length) {
      const message = `@discriminator ${propertyName}: each member of the union needs a required \`${propertyName}\` with a value of its own.`;
      this.onProblem(node, message);
      return schema;
    }
    const { anyOf, ...rest } = schema;
    const choice = { oneOf: members, discriminator: { propertyName } };
    return (anyOf as Schema[]).some(isNull) ? { ...rest, anyOf: [choice, { type: "null" }] } : { ...rest, ...choice };
  }
}

const isNothing = (node: ts.TypeNode) =>
  node.kind === ts.SyntaxKind.UndefinedKeyword ||
  (ts.isLiteralTypeNode(node) && node.literal.kind === ts.SyntaxKind.NullKeyword);

/** The strings and numbers that a required property may be; empty if it may have other values. */
function valuesOf({ properties, required }: Schema, name: string): unknown[] {
  const property = isObject(properties) ? properties[name] : undefined;
  if (!isObject(property) || !Array.isArray(required) || !required.includes(name)) return [];
  return "const" in property ? [property.const] : Array.isArray(property.enum) ? property.enum : [];
}
