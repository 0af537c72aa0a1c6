import ts from "typescript";

/** The value of a literal or constant expression, such as `3`, `"km"`, `["a"]`, `Unit.Km`; undefined for others. */
export function literalValue(expression: ts.Expression, checker: ts.TypeChecker): { value: unknown } | undefined {
  const inner = ts.skipPartiallyEmittedExpressions(expression);
  if (ts.isParenthesizedExpression(inner) || ts.isAsExpression(inner) || ts.isSatisfiesExpression(inner)) {
    return literalValue(inner.expression, checker);
  }
  if (ts.isStringLiteralLike(inner)) return { value: inner.text };
  if (ts.isNumericLiteral(inner)) return { value: Number(inner.text) };
  switch (inner.kind) {
    case ts.SyntaxKind.TrueKeyword:
      return { value: true };
    case ts.SyntaxKind.FalseKeyword:
      return { value: false };
    case ts.SyntaxKind.NullKeyword:
      return { value: null };
  }
  if (ts.isPrefixUnaryExpression(inner) && inner.operator === ts.SyntaxKind.MinusToken) {
    const operand = literalValue(inner.operand, checker);
    return typeof operand?.value === "number" ? { value: -operand.value } : undefined;
  }
  if (ts.isIdentifier(inner) || ts.isPropertyAccessExpression(inner) || ts.isElementAccessExpression(inner)) {
    // A constant or a member of an enum: the compiler knows its value.
    const type = checker.getTypeAtLocation(inner);
    return type.isStringLiteral() || type.isNumberLiteral() ? { value: type.value } : undefined;
  }
  if (ts.isArrayLiteralExpression(inner)) {
    const items = inner.elements.map((element) => literalValue(element, checker));
    return items.every((item) => item !== undefined) ? { value: items.map((item) => item.value) } : undefined;
  }
  return ts.isObjectLiteralExpression(inner) ? objectValue(inner, checker) : undefined;
}

function objectValue(object: ts.ObjectLiteralExpression, checker: ts.TypeChecker): { value: unknown } | undefined {
  const entries: [string, unknown][] = [];
  for (const property of object.properties) {
    const isPlain = ts.isPropertyAssignment(property) && !ts.isComputedPropertyName(property.name);
    const part = isPlain ? literalValue(property.initializer, checker) : undefined;
    if (!part || !property.name) return undefined;
    entries.push([(property.name as ts.Identifier | ts.StringLiteral).text, part.value]);
  }
  return { value: Object.fromEntries(entries) };
}
