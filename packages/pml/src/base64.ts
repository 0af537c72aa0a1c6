/**
 * What there is of base64 in a text, without the line ends that it may have; `undefined` where it is none. Its padding may be missing.
 *
 * @example base64In("iVBORw0K\n  Ggo="); // "iVBORw0KGgo="
 */
export function base64In(text: string | undefined): string | undefined {
  const data = text?.replace(/[ \t\r\n]+/g, "") ?? "";
  const [, digits = ""] = /^([A-Za-z0-9+/]+)={0,2}$/.exec(data) ?? [];
  return digits !== "" && digits.length % 4 !== 1 ? data : undefined;
}
