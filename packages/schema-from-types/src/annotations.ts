import ts from "typescript";

const numbers = [
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"],
];
const texts = ["pattern", "format", "title"];

/** What JSDoc says of a property or type: its description, and tags that are keywords of JSON Schema. */
export function annotationsOf(symbol: ts.Symbol, checker: ts.TypeChecker): Record<string, unknown> {
  return { ...described(symbol.getDocumentationComment(checker)), ...keywords(symbol.getJsDocTags(checker)) };
}

/** `{ description }`, where there is one. */
export function described(comment: string | ts.SymbolDisplayPart[] | undefined): { description?: string } {
  const text = typeof comment === "string" ? comment : ts.displayPartsToString(comment);
  const description = text.replace(/^\s*-\s+/, "").trim();
  return description === "" ? {} : { description };
}

function keywords(tags: readonly ts.JSDocTagInfo[]): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const { name, text } of tags) {
    const said = ts.displayPartsToString(text).trim();
    if (numbers.includes(name) && said !== "" && Number.isFinite(Number(said))) out[name] = Number(said);
    else if (texts.includes(name)) out[name] = said;
    else if (name === "asType" && said === "integer") out.type = "integer";
    else if (name === "default" || name === "defaultValue") out.default = jsonOrText(said);
    else if (name === "example") out.examples = [...((out.examples as unknown[] | undefined) ?? []), jsonOrText(said)];
    else if (name === "deprecated") out.deprecated = true;
  }
  return out;
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
