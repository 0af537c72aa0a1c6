import type { Losses } from "@toolingua/core/adapters";
import { isXmlText, xmlCharacters } from "../write/xml-text.js";

/** The text with the characters that XML can contain. Others are replaced and reported. */
export function writableText(text: string, path: string, losses: Losses): string {
  if (isXmlText(text)) return text;
  losses.add(path, "characters", "XML does not have them: replaced by U+FFFD");
  return xmlCharacters(text);
}
