import { checkOptions, type OptionRules, wholeFrom } from "@toolingua/core/adapters";
import { checkTree } from "../schema/check-tree.js";
import type { PmlDocument } from "../tree.js";
import { documentElement, type OutElement } from "./elements.js";
import { cdata, escapedAttribute, escapedText, xmlCharacters } from "./xml-text.js";

/** Options of {@link stringifyPml}. */
export interface StringifyPmlOptions {
  /**
   * The indentation of each level, in spaces. Default 2; 0 needs the fewest tokens and still writes one element per
   * line.
   */
  indent?: number | undefined;
}

const rules: OptionRules<StringifyPmlOptions> = { indent: wholeFrom(0) };

/**
 * The text of a document. `parsePml` returns the same tree from it, and that tree gives the same text. Contents of
 * attachments and edits are in CDATA, even if they contain `]]>`.
 *
 * Characters that XML does not allow (U+0000 to U+001F except tab and line ends, U+FFFE, U+FFFF, lone surrogates)
 * become U+FFFD; `unwritableIn` finds them. In arguments of calls and in schemas they are kept.
 *
 * Errors: `PmlTreeError` `bad-tree`, `OptionsError`.
 *
 * @example stringifyPml({ version: "1", memory: [{ type: "fact", text: "Kim likes tea." }] });
 * // <pml version="1">\n  <memory>\n    <fact>Kim likes tea.</fact>\n  </memory>\n</pml>\n
 */
export function stringifyPml(document: PmlDocument, options: StringifyPmlOptions = {}): string {
  checkOptions(rules, options);
  checkTree(document);
  return writeElement(documentElement(document), options);
}

/** Options for writing elements. `text` transforms each text and value before it is written. */
export interface WriteOptions extends StringifyPmlOptions {
  text?: ((text: string) => string) | undefined;
  /** Whether a CDATA section is acceptable. Default: always. */
  fitsCdata?: ((section: string) => boolean) | undefined;
}

/** Writes an element and its content, ending with a line end. */
export function writeElement(root: OutElement, { indent = 2, text = (same) => same, fitsCdata }: WriteOptions): string {
  const leaf = (value: string, raw: boolean): string => {
    const plain = xmlCharacters(text(value));
    const escaped = escapedText(plain);
    const section = cdata(plain);
    if (plain === "" || (!raw && section.length >= escaped.length)) return escaped;
    return fitsCdata && !fitsCdata(section) ? escaped : section;
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
