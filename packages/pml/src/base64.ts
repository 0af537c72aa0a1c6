/**
 * The base64 data in a text, without its line ends; `undefined` for any other text. Padding may be missing.
 *
 * @example base64In("iVBORw0K\n  Ggo="); // "iVBORw0KGgo="
 */
export function base64In(text: string | undefined): string | undefined {
  const data = text?.replace(/[ \t\r\n]+/g, "") ?? "";
  const [, digits = ""] = /^([A-Za-z0-9+/]+)={0,2}$/.exec(data) ?? [];
  return digits !== "" && digits.length % 4 !== 1 ? data : undefined;
}
