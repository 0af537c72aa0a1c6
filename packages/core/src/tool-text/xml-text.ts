/** Text between XML tags. `>` needs no entity there, except in `]]>`, which none of the readers here recognise. */
export const xmlText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/**
 * The value of an XML attribute in double quotes. Newlines are escaped, because a reader would turn them into spaces.
 */
export const xmlAttribute = (text: string): string =>
  xmlText(text).replaceAll('"', "&quot;").replaceAll("\r", "&#13;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");

/** Text for double quotes, with its newlines unchanged. */
export const quotedXml = (text: string): string => xmlText(text).replaceAll('"', "&quot;");

/** JSON without `<`, `&` and `'`: they occur only in strings, and `\u00XX` cannot be read as markup there. */
export const jsonWithoutMarkup = (json: string) =>
  json.replace(/[<&']/g, (char) => `\\u00${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
