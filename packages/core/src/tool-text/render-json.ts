/**
 * Renders JSON on one line with a space after `,` and `:`, like Python's `json.dumps` and the models' training data.
 * A backspace and a form feed are written as `\u0008` and `\u000c`: a model that writes `\b` hardly means one.
 */
export function renderJson(value: unknown): string {
  // JSON strings contain no raw newlines, so all newlines here are the indentation of JSON.stringify.
  const json = (JSON.stringify(value, null, 1) ?? "null").replace(/,\n */g, ", ").replace(/\n */g, "");
  return json.includes("\\b") || json.includes("\\f") ? json.replace(/\\./g, (pair) => RARE[pair] ?? pair) : json;
}

const RARE: Record<string, string> = { "\\b": "\\u0008", "\\f": "\\u000c" };
