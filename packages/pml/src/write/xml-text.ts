import { NO_XML_CHARACTER } from "../vocabulary.js";

/** The text without what XML does not have: each such character becomes U+FFFD. */
export const xmlCharacters = (text: string): string => text.replace(NO_XML_CHARACTER, "\ufffd");

/** Whether XML can hold the text as it is. */
export const isXmlText = (text: string): boolean => text.search(NO_XML_CHARACTER) === -1;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#x9;",
  "\n": "&#xA;",
  "\r": "&#xD;",
};

const entity = (char: string) => ENTITIES[char] ?? char;

/** Text between tags, as Canonical XML writes it. */
export const escapedText = (text: string): string => text.replace(/[&<>\r]/g, entity);

/** The value of an attribute, as Canonical XML writes it. */
export const escapedAttribute = (text: string): string => text.replace(/[&<"\t\n\r]/g, entity);

/**
 * A CDATA section, which people and models read more easily than entities. `]]>` is shared out over two sections; a carriage return,
 * which a section cannot hold, stands between two.
 */
export const cdata = (text: string): string =>
  text === ""
    ? ""
    : text
        .split("\r")
        .map((line) => (line === "" ? "" : `<![CDATA[${line.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`))
        .join("&#xD;");
