import ts from "typescript";
import type { CheckedProgram } from "./program.js";

/** A function that a file exports, or a method of an exported class or object. */
export interface ExportedFunction {
  name: string;
  /** The class or object of a method; undefined for a function. */
  owner: string | undefined;
  symbol: ts.Symbol;
  signatures: readonly ts.Signature[];
  declaration: ts.Declaration;
}

/**
 * The functions that a file exports, and with `methods` the public methods of classes and objects that it exports, in
 * the order of the source. Functions and methods marked `@internal` are left out.
 */
export function functionsOf(file: ts.SourceFile, program: CheckedProgram, methods: boolean): ExportedFunction[] {
  const { checker } = program;
  const module = checker.getSymbolAtLocation(file);
  if (!module) return [];
  const found = checker.getExportsOfModule(module).flatMap((exported): ExportedFunction[] => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const declaration = symbol.valueDeclaration;
    if (!declaration || isInternal(symbol, checker)) return [];
    const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
    const signatures = type.getCallSignatures();
    const name = exported.getName() === "default" ? ownName(declaration, file) : exported.getName();
    if (signatures.length > 0) return [{ name, owner: undefined, symbol, signatures, declaration }];
    if (!methods) return [];
    const isClass = (symbol.flags & ts.SymbolFlags.Class) !== 0;
    return methodsOf(isClass ? checker.getDeclaredTypeOfSymbol(symbol) : type, name, program);
  });
  return found.sort((a, b) => a.declaration.pos - b.declaration.pos);
}

const isInternal = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  symbol.getJsDocTags(checker).some((tag) => tag.name === "internal");

function methodsOf(type: ts.Type, owner: string, program: CheckedProgram): ExportedFunction[] {
  const { checker } = program;
  return checker.getPropertiesOfType(type).flatMap((symbol): ExportedFunction[] => {
    const declaration = symbol.valueDeclaration;
    const isOwn = declaration && !program.isLibrary(declaration.getSourceFile());
    if (!declaration || !isOwn || isHidden(declaration) || isInternal(symbol, checker)) return [];
    const signatures = checker.getTypeOfSymbolAtLocation(symbol, declaration).getCallSignatures();
    return signatures.length === 0 ? [] : [{ name: symbol.getName(), owner, symbol, signatures, declaration }];
  });
}

/** Whether a member of a class is private or protected. */
export function isHidden(declaration: ts.Node): boolean {
  if (!ts.isClassElement(declaration)) return false;
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const isNamedSo = declaration.name !== undefined && ts.isPrivateIdentifier(declaration.name);
  return isNamedSo || (ts.getCombinedModifierFlags(declaration) & hidden) !== 0;
}

/** The name of a default export: its own name, or the file's. */
function ownName(declaration: ts.Declaration, file: ts.SourceFile): string {
  const name = ts.getNameOfDeclaration(declaration);
  if (name && ts.isIdentifier(name)) return name.text;
  return /([^/\\]+?)(?:\.[^/\\]*)?$/.exec(file.fileName)?.[1] ?? "default";
}
