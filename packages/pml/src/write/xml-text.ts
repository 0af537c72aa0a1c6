import { NO_XML_CHARACTER } from "../vocabulary.js";

/** Replaces each character that XML does not allow by U+FFFD. */
export const xmlCharacters = (text: string): string => text.replace(NO_XML_CHARACTER, "\ufffd");

/** Whether XML can contain the text unchanged. */
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
 * A CDATA section, which people and models read more easily than entities. `]]>` is split between two sections. A
 * carriage return, which a section cannot contain, is written between two.
 */
export const cdata = (text: string): string =>
  text === ""
    ? ""
    : text
        .split("\r")
        .map((line) => (line === "" ? "" : `<![CDATA[${line.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`))
        .join("&#xD;");
