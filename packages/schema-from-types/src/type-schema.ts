import ts from "typescript";
import { annotationsOf } from "./annotations.js";
import type { SourceProblem } from "./errors.js";
import { isHidden } from "./exported-functions.js";
import { type CheckedProgram, placeOf } from "./program.js";
import type { Schema } from "./schema.js";
import { templatePattern } from "./template-pattern.js";
import { TypeDocs } from "./type-docs.js";

/** The limit of depth: deeper types grow without end, such as a generic that contains itself with larger arguments. */
const MAX_DEPTH = 50;

/**
 * The limit of objects, lists and unions in a tool: types that contain others twice grow exponentially where they are written
 * out.
 */
const MAX_TYPES = 10_000;

const remedies: Record<string, string> = {
  Map: "Use Record<string, …>.",
  ReadonlyMap: "Use Record<string, …>.",
  Set: "Use an array.",
  ReadonlySet: "Use an array.",
  bigint: "Use a number or a string of digits.",
  Promise: "Take what it resolves to.",
  RegExp: "Take its source as a string.",
  Uint8Array: "Take the bytes as a string in base64.",
  AbortSignal: "Take it from the context of the call, apart from the arguments.",
  Date: "Take a string, with `@format date-time`, and make the object of it.",
  URL: "Take a string, with `@format uri`, and make the object of it.",
};

/** Types of the library that JSON represents as strings: the result of their `toJSON`. */
const texts: Record<string, Schema> = {
  Date: { type: "string", format: "date-time" },
  URL: { type: "string", format: "uri" },
};

/**
 * Writes types as JSON Schema 2020-12: the values that a type admits, in JSON. The compiler has resolved generics,
 * mapped and conditional types. Recursive types become `$defs`.
 */
export class TypeSchemas {
  readonly problems: SourceProblem[] = [];
  readonly definitions: Record<string, Schema> = {};
  private readonly names = new Map<ts.Type, string>();
  private readonly open = new Set<ts.Type>();
  private written = 0;

  private readonly docs: TypeDocs;

  /** `jsonOnly`: whether types that JSON only represents as strings are problems, too. */
  constructor(
    private readonly program: CheckedProgram,
    private readonly jsonOnly = false,
  ) {
    this.docs = new TypeDocs(
      program,
      (node, message) => this.problem(node, message),
      (schema) =>
        typeof schema.$ref === "string" ? (this.definitions[schema.$ref.slice("#/$defs/".length)] ?? {}) : schema,
    );
  }

  private get checker(): ts.TypeChecker {
    return this.program.checker;
  }

  /**
   * The schema of a type; `node` is the place of a problem if the type has no JSON form. `undefined` among its values
   * is left out; returns false if there are no others. `written`: the type in the source, for the JSDoc of its name.
   */
  schema(type: ts.Type, node: ts.Node, written?: ts.TypeNode | undefined): Schema | false {
    const schema = this.unnamed(type, node);
    return schema === false ? false : this.docs.ofNode(written, schema);
  }

  private unnamed(type: ts.Type, node: ts.Node): Schema | false {
    const { flags } = type;
    if (isUnknownName(type)) return this.problem(node, "The compiler does not know this type.");
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    if (flags & ts.TypeFlags.Never || isUndefined(type)) return false;
    return this.scalar(type) ?? this.compound(type, node);
  }

  /** Records that the type at `node` has no JSON form. */
  problem(node: ts.Node, message: string): Schema {
    const place = placeOf(node.getSourceFile(), node.getStart());
    const isKnown = this.problems.some(
      (one) => one.message === message && one.line === place.line && one.column === place.column,
    );
    if (!isKnown) this.problems.push({ ...place, message });
    return {};
  }

  /** Whether undefined is among the values of a type. */
  admitsUndefined(type: ts.Type): boolean {
    return (type.isUnion() ? type.types : [type]).some((part) => isUndefined(part));
  }

  private scalar(type: ts.Type): Schema | undefined {
    const { flags } = type;
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (flags & ts.TypeFlags.BooleanLiteral) return { const: this.checker.typeToString(type) === "true" };
    if (flags & ts.TypeFlags.TemplateLiteral) {
      return { type: "string", pattern: templatePattern(type as ts.TemplateLiteralType) };
    }
    if (flags & (ts.TypeFlags.String | ts.TypeFlags.StringMapping)) return { type: "string" };
    if (flags & ts.TypeFlags.Boolean) return { type: "boolean" };
    if (flags & ts.TypeFlags.Number) return { type: "number" };
    if (flags & ts.TypeFlags.Null) return { type: "null" };
    if (flags & ts.TypeFlags.NonPrimitive) return { type: ["object", "array"] };
    return undefined;
  }

  private compound(type: ts.Type, node: ts.Node): Schema | false {
    const { flags } = type;
    if (type.isUnion()) return this.guarded(type, node, () => this.union(type.types, node));
    // An enum with computed members is not a union; its members are numbers.
    if (flags & ts.TypeFlags.Enum) return { type: "number" };
    if (flags & ts.TypeFlags.Instantiable) {
      const index = indexOf(type, this.checker);
      if (index) return this.key(index);
      const constraint = this.checker.getBaseConstraintOfType(type);
      if (!constraint || constraint === type) return {};
      return this.schema(constraint, node);
    }
    if (type.isIntersection()) {
      // `string & { brand: … }` is a string at run time.
      const scalars = type.types.map((part) => this.scalar(part)).filter((schema) => schema !== undefined);
      if (scalars.length > 0) return scalars.length === 1 ? scalars[0]! : { allOf: scalars };
      if (type.types.some((part) => this.checker.isArrayType(part) || this.checker.isTupleType(part))) {
        const what = this.checker.typeToString(type);
        return this.problem(node, `${what} has no JSON form. Use the array alone, or a tuple.`);
      }
    }
    if (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) {
      return this.guarded(type, node, () => this.object(type, node));
    }
    return this.noJson(type, node);
  }

  /** `keyof T`: the keys of what T extends, which in JSON are strings. */
  private key({ type }: ts.IndexType): Schema {
    const owner = this.checker.getBaseConstraintOfType(type);
    const names = owner ? this.checker.getPropertiesOfType(owner).map((property) => property.getName()) : [];
    return names.length > 0 ? oneOf(names.map((name) => ({ const: name }))) : { type: "string" };
  }

  private noJson(type: ts.Type, node: ts.Node, what = this.checker.typeToString(type)): Schema {
    const name = type.flags & ts.TypeFlags.BigIntLike ? "bigint" : (type.getSymbol()?.name ?? "");
    const remedy = Object.hasOwn(remedies, name) ? ` ${remedies[name]}` : "";
    return this.problem(node, `${what} has no JSON form.${remedy}`);
  }

  /** A type that occurs within itself becomes a definition. */
  private guarded(type: ts.Type, node: ts.Node, write: () => Schema): Schema {
    const known = this.names.get(type);
    if (known !== undefined || this.open.has(type)) {
      const name = known ?? this.nameFor(type);
      this.names.set(type, name);
      return { $ref: `#/$defs/${name}` };
    }
    if (this.written > MAX_TYPES) return {};
    if (this.open.size >= MAX_DEPTH) {
      // What contains it grows without end too: no other part of it needs to be written.
      this.written = MAX_TYPES + 1;
      return this.problem(node, `${this.checker.typeToString(type)} is nested without end.`);
    }
    if (++this.written > MAX_TYPES)
      return this.problem(node, `There are more than ${MAX_TYPES} types. Use simpler ones.`);
    this.open.add(type);
    const schema = this.docs.ofType(type, write(), node);
    this.open.delete(type);
    const name = this.names.get(type);
    if (name === undefined) return schema;
    this.definitions[name] = schema;
    return { $ref: `#/$defs/${name}` };
  }

  private nameFor(type: ts.Type): string {
    const name = (type.aliasSymbol ?? type.getSymbol())?.name.replace(/\W/g, "") || "type";
    const taken = new Set(this.names.values());
    for (let i = 1; ; i++) {
      const candidate = i === 1 ? name : `${name}${i}`;
      if (!taken.has(candidate)) return candidate;
    }
  }

  private union(members: readonly ts.Type[], node: ts.Node): Schema {
    const parts = members.filter((part) => !isUndefined(part)).map((part) => this.schema(part, node));
    return oneOf(parts.filter((part) => part !== false));
  }

  private object(type: ts.Type, node: ts.Node): Schema {
    if (this.checker.isArrayType(type)) {
      const [item] = this.checker.getTypeArguments(type as ts.TypeReference);
      return { type: "array", ...(item && { items: this.schema(item, node) }) };
    }
    if (this.checker.isTupleType(type)) return this.tuple(type as ts.TupleTypeReference, node);
    const foreign = this.foreign(type);
    if (foreign) return foreign(node);
    if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0) {
      return this.noJson(type, node, `The function ${this.checker.typeToString(type)}`);
    }
    return { type: "object", ...this.properties(type, node), ...this.additional(type, node) };
  }

  /**
   * The special conversion of interfaces and classes that are not the user's own: those of the language (Map,
   * Uint8Array, Promise), and those with methods. (Record and Partial are neither interface nor class.)
   */
  private foreign(type: ts.Type): ((node: ts.Node) => Schema) | undefined {
    const symbol = type.getSymbol();
    const isType = symbol && (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) !== 0;
    const files = symbol?.declarations?.map((one) => one.getSourceFile()) ?? [];
    if (!isType || !files.some((file) => file.isDeclarationFile)) return undefined;
    const text = Object.hasOwn(texts, symbol.name) ? texts[symbol.name] : undefined;
    if (text) return (node) => (this.jsonOnly ? this.noJson(type, node) : text);
    const hasMethods = this.checker.getPropertiesOfType(type).some((one) => (one.flags & ts.SymbolFlags.Method) !== 0);
    const isOfLanguage = files.some((file) => this.program.isLibrary(file));
    return isOfLanguage || hasMethods ? (node) => this.noJson(type, node) : undefined;
  }

  private properties(type: ts.Type, node: ts.Node): Schema {
    const properties: [string, unknown][] = [];
    const required: string[] = [];
    for (const property of this.checker.getPropertiesOfType(type)) {
      const name = property.getName();
      const at = property.valueDeclaration ?? node;
      // The problem is reported in the user's source, not in a declaration file.
      const place = at.getSourceFile().isDeclarationFile ? node : at;
      if (name.startsWith("__@"))
        this.problem(place, `The key ${name.slice(3).replace(/@\d+$/, "")} is a symbol, which JSON does not have.`);
      if (isHidden(at)) this.problem(place, `${name} is private: no JSON is an object of this class.`);
      const valueType = this.checker.getTypeOfSymbolAtLocation(property, node);
      const schema = this.schema(valueType, place, typeNodeOf(at));
      const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0 || this.admitsUndefined(valueType);
      if (schema === false && !isOptional)
        this.problem(place, `${name} can never be given: no value matches its type.`);
      if (!isOptional) required.push(name);
      properties.push([name, schema === false ? false : { ...schema, ...annotationsOf(property, this.checker) }]);
    }
    return {
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 && { required }),
    };
  }

  /** The schema of all other properties, from index signatures. */
  private additional(type: ts.Type, node: ts.Node): Schema {
    const out: Schema = {};
    const patterns: [string, unknown][] = [];
    for (const { keyType, type: valueType, declaration } of this.checker.getIndexInfosOfType(type)) {
      const schema = this.schema(valueType, declaration ?? node);
      if (keyType.flags & ts.TypeFlags.TemplateLiteral) {
        patterns.push([templatePattern(keyType as ts.TemplateLiteralType), schema]);
      } else if (keyType.flags & ts.TypeFlags.ESSymbol) {
        this.problem(declaration ?? node, "Keys that are symbols have no JSON form.");
      } else out.additionalProperties = schema;
    }
    if (patterns.length > 0) out.patternProperties = Object.fromEntries(patterns);
    return out;
  }

  private tuple(type: ts.TupleTypeReference, node: ts.Node): Schema {
    const { elementFlags } = type.target;
    const items = this.checker.getTypeArguments(type).map((item) => this.schema(item, node));
    const first = elementFlags.findIndex((flag) => (flag & ts.ElementFlags.Variable) !== 0);
    const fixed = first < 0 ? items : items.slice(0, first);
    const minItems = elementFlags.filter((flag) => (flag & ts.ElementFlags.Required) !== 0).length;
    const bounds = { ...(minItems > 0 && { minItems }), ...(first < 0 && { maxItems: items.length }) };
    // After a rest element, JSON Schema has no positions: each item may be any of the following ones.
    const rest = first < 0 ? false : oneOf(items.slice(first).filter((item) => item !== false));
    return { type: "array", ...(fixed.length > 0 && { prefixItems: fixed }), items: rest, ...bounds };
  }
}

/** `keyof T` itself, or a parameter that extends it; the compiler resolves both only to the type of all keys. */
function indexOf(type: ts.Type, checker: ts.TypeChecker): ts.IndexType | undefined {
  if (type.flags & ts.TypeFlags.Index) return type as ts.IndexType;
  const symbol = type.isTypeParameter() ? type.getSymbol() : undefined;
  const declared = symbol?.declarations?.find(ts.isTypeParameterDeclaration);
  if (!declared?.constraint) return undefined;
  return indexOf(checker.getTypeFromTypeNode(declared.constraint), checker);
}

/** The type annotation of a declaration. */
const typeNodeOf = (node: ts.Node): ts.TypeNode | undefined =>
  ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || ts.isParameter(node) ? node.type : undefined;

/** Whether the compiler uses `any` because there is no type of that name. */
const isUnknownName = (type: ts.Type) =>
  (type.flags & ts.TypeFlags.Any) !== 0 && (type as ts.Type & { intrinsicName?: string }).intrinsicName === "error";

const isUndefined = (type: ts.Type) => (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0;

/** One schema for several: literal values become one `enum`, plain types one `type`, the rest `anyOf`. */
function oneOf(schemas: readonly Schema[]): Schema {
  const values = schemas.flatMap((schema) => ("const" in schema ? [schema.const] : []));
  const isBoolean = values.includes(true) && values.includes(false);
  const plain = schemas.flatMap((schema) => (isPlainType(schema) ? [schema.type as string] : []));
  const types = [...new Set(isBoolean ? [...plain, "boolean"] : plain)];
  const listed = values.filter((value) => !isBoolean || typeof value !== "boolean");
  const others = schemas.filter((schema) => !("const" in schema) && !isPlainType(schema));
  const withNull = listed.length > 0 && types.length === 1 && types[0] === "null";
  const choice = listed.length > 0 ? [enumOf(withNull ? [...listed, null] : listed)] : [];
  const typed = types.length === 0 || withNull ? [] : [{ type: types.length === 1 ? types[0] : types }];
  const all = [...choice, ...typed, ...others];
  return all.length === 1 ? all[0]! : { anyOf: all };
}

const isPlainType = (schema: Schema) => typeof schema.type === "string" && Object.keys(schema).length === 1;

function enumOf(values: readonly unknown[]): Schema {
  const types = [...new Set(values.map((value) => (value === null ? "null" : typeof value)))];
  return { type: types.length === 1 ? types[0] : types, enum: values };
}
