/** JSON on one line with a space after `,` and `:`, as Python's `json.dumps` writes it and models were trained on. */
export function renderJson(value: unknown): string {
  // A raw newline never stands inside a JSON string, so those that JSON.stringify indents with are the only ones.
  return (JSON.stringify(value, null, 1) ?? "null").replace(/,\n */g, ", ").replace(/\n */g, "");
}
