import { jsonOrText } from "@toolingua/core/adapters";
import ts from "typescript";

const numbers = [
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"],
];
const texts = ["pattern", "format", "title", "contentMediaType", "contentEncoding", "discriminator"];
const flags = ["uniqueItems", "deprecated", "readOnly", "writeOnly"];

/** The annotations of a property or type in JSDoc: its description, and tags for keywords of JSON Schema. */
export function annotationsOf(symbol: ts.Symbol, checker: ts.TypeChecker): Record<string, unknown> {
  const said = { ...described(symbol.getDocumentationComment(checker)), ...keywords(symbol.getJsDocTags(checker)) };
  const comment = symbol.valueDeclaration && commentOnLine(symbol.valueDeclaration);
  return Object.keys(said).length === 0 && comment !== undefined ? ofComment(comment) : said;
}

/**
 * The JSDoc of a property on the same line as the preceding `{` or property, to which the compiler attaches the comment
 * instead.
 */
function commentOnLine(node: ts.Declaration): string | undefined {
  if (!ts.isPropertySignature(node) && !ts.isEnumMember(node)) return undefined;
  const { text } = node.getSourceFile();
  const range = ts.getTrailingCommentRanges(text, node.pos)?.at(-1);
  const isAbout = range && !text.slice(range.end, node.getStart()).includes("\n");
  const comment = isAbout ? text.slice(range.pos, range.end) : "";
  return comment.startsWith("/**") ? comment : undefined;
}

function ofComment(comment: string): Record<string, unknown> {
  const file = ts.createSourceFile("comment.ts", `${comment}\nlet x;`, ts.ScriptTarget.Latest, true);
  const [doc] = ts.getJSDocCommentsAndTags(file.statements[0]!);
  if (!doc || !ts.isJSDoc(doc)) return {};
  const tags = doc.tags?.map(({ tagName, comment }) => {
    return { name: tagName.text, text: [{ kind: "text", text: ts.getTextOfJSDocComment(comment) ?? "" }] };
  });
  return { ...described(ts.getTextOfJSDocComment(doc.comment)), ...keywords(tags ?? []) };
}

/** A text with the words of its links, else their targets, in the place of their markup. */
const withoutLinks = (text: string): string =>
  text.replace(/\{@link(?:code|plain)?\s([^{}]*)\}/g, (_, inside: string) => {
    const [, target = "", words = ""] = /^\s*([^\s|]*)\s*\|?\s*(.*)$/s.exec(inside) ?? [];
    return words.trim() || target;
  });

/** `{ description }`, if there is one. */
export function described(comment: string | ts.SymbolDisplayPart[] | undefined): { description?: string } {
  const text = typeof comment === "string" ? comment : ts.displayPartsToString(comment);
  const description = withoutLinks(text.replace(/^\s*-\s+/, "").trim());
  return description === "" ? {} : { description };
}

function keywords(tags: readonly ts.JSDocTagInfo[]): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const { name, text } of tags) {
    const said = ts.displayPartsToString(text).trim();
    if (numbers.includes(name) && said !== "" && isAllowed(name, Number(said))) out[name] = Number(said);
    else if (texts.includes(name)) out[name] = said;
    else if (name === "asType" && said === "integer") out.type = "integer";
    else if (name === "default" || name === "defaultValue") out.default = jsonOrText(said);
    else if (name === "example") out.examples = [...((out.examples as unknown[] | undefined) ?? []), jsonOrText(said)];
    else if (name === "examples") out.examples = [...((out.examples as unknown[] | undefined) ?? []), ...listOf(said)];
    else if (flags.includes(name) && said !== "false") out[name] = true;
  }
  return out;
}

/** Whether a keyword of JSON Schema may have this number: lengths are whole, from 0. */
function isAllowed(name: string, value: number): boolean {
  if (name === "multipleOf") return value > 0 && Number.isFinite(value);
  return /^(?:min|max)[A-Z]/.test(name) ? Number.isInteger(value) && value >= 0 : Number.isFinite(value);
}

/** A list in JSON, or one example. */
function listOf(text: string): unknown[] {
  const value = jsonOrText(text);
  return Array.isArray(value) ? value : [value];
}
