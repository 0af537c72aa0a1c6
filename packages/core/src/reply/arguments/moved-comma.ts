/**
 * Whether a text in the arguments ends with a comma: where one is missing, it may have been written before the last quote
 * instead of after it.
 *
 * @example endsWithComma({ city: "Rome," }); // true
 */
export function endsWithComma(value: unknown): boolean {
  if (typeof value === "string") return value.trimEnd().endsWith(",");
  return typeof value === "object" && value !== null && Object.values(value).some(endsWithComma);
}
