import { escapeRegExp } from "@toolingua/core/adapters";
import ts from "typescript";

/** The strings that match `${number}` in TypeScript: those that `Number()` converts to a finite number. */
const number = "\\s*(?:[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)\\s*";

/** The regular expression of a template literal type, such as `v${number}`. */
export function templatePattern(type: ts.TemplateLiteralType): string {
  const parts = type.types.map((part, i) => patternOf(part) + escapeRegExp(type.texts[i + 1] ?? ""));
  return `^${escapeRegExp(type.texts[0] ?? "")}${parts.join("")}$`;
}

function patternOf(type: ts.Type): string {
  if (type.flags & ts.TypeFlags.TemplateLiteral) return templatePattern(type as ts.TemplateLiteralType).slice(1, -1);
  if (type.isStringLiteral()) return escapeRegExp(type.value);
  if (type.isUnion()) return `(?:${type.types.map(patternOf).join("|")})`;
  if (type.flags & ts.TypeFlags.NumberLike) return number;
  if (type.flags & ts.TypeFlags.BigIntLike) return "-?\\d+";
  return "[\\s\\S]*";
}
