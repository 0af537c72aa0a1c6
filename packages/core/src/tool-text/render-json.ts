/**
 * Renders JSON on one line with a space after `,` and `:`, like Python's `json.dumps` and the models' training data.
 */
export function renderJson(value: unknown): string {
  // JSON strings contain no raw newlines, so all newlines here are the indentation of JSON.stringify.
  return (JSON.stringify(value, null, 1) ?? "null").replace(/,\n */g, ", ").replace(/\n */g, "");
}
