import { checkOptionNames, checkOptionValues, type OptionRules, wholeFrom } from "@toolingua/core";
import { checkTree } from "../schema/check-tree.js";
import type { PmlDocument } from "../tree.js";
import { documentElement, type OutElement } from "./elements.js";
import { cdata, escapedAttribute, escapedText, xmlCharacters } from "./xml-text.js";

/** How a document is laid out. */
export interface StringifyPmlOptions {
  /** Spaces by which each level is indented. Default 2; 0 costs the fewest tokens and still has a line for each element. */
  indent?: number | undefined;
}

const rules: OptionRules<StringifyPmlOptions> = { indent: wholeFrom(0) };

/**
 * The text of a document. `parsePml` gives the same tree again, and of that tree comes the same text. Contents of
 * attachments and edits stand in CDATA, also where they hold `]]>`.
 *
 * Characters that XML does not have (U+0000 to U+001F but tab and line ends, U+FFFE, U+FFFF, halves of surrogate pairs) become U+FFFD; `unwritableIn`
 * says where there are any. In arguments of calls and schemas they stay.
 *
 * Errors: `PmlTreeError` `bad-tree`, `OptionsError`.
 *
 * @example stringifyPml({ version: "1", memory: [{ type: "fact", text: "Kim likes tea." }] });
 * // <pml version="1">\n  <memory>\n    <fact>Kim likes tea.</fact>\n  </memory>\n</pml>\n
 */
export function stringifyPml(document: PmlDocument, options: StringifyPmlOptions = {}): string {
  checkOptionNames(rules, options);
  checkOptionValues(rules, options);
  checkTree(document);
  return writeElement(documentElement(document), options);
}

/** How leaves are written. `text` is what becomes of each text and value before it is written. */
export interface WriteOptions extends StringifyPmlOptions {
  text?: ((text: string) => string) | undefined;
  /** Whether a text can stand in this CDATA section. Default: every one. */
  fitsCdata?: ((section: string) => boolean) | undefined;
}

/** An element and what it holds, ending in a line end. */
export function writeElement(root: OutElement, { indent = 2, text = (same) => same, fitsCdata }: WriteOptions): string {
  const leaf = (value: string, raw: boolean): string => {
    const plain = xmlCharacters(text(value));
    const escaped = escapedText(plain);
    const section = cdata(plain);
    if (plain === "" || (fitsCdata && !fitsCdata(section))) return escaped;
    return raw || section.length < escaped.length ? section : escaped;
  };
  const lines: string[] = [];
  const write = ({ name, attributes, content, raw }: OutElement, level: number) => {
    const space = " ".repeat(indent * level);
    const written = attributes
      .map(([key, value]) => ` ${key}="${escapedAttribute(xmlCharacters(text(value)))}"`)
      .join("");
    if (content.length === 0 && !raw) lines.push(`${space}<${name}${written}/>`);
    else if (typeof content === "string")
      lines.push(`${space}<${name}${written}>${leaf(content, raw === true)}</${name}>`);
    else {
      lines.push(`${space}<${name}${written}>`);
      for (const child of content) write(child, level + 1);
      lines.push(`${space}</${name}>`);
    }
  };
  write(root, 0);
  return `${lines.join("\n")}\n`;
}
