import { escapeText, unescapeText } from "@toolingua/core";
import { vocabulary } from "../vocabulary.js";
import type { OutElement } from "./elements.js";
import { type WriteOptions, writeElement } from "./stringify-pml.js";

/** Matches a PML element in a text, which a model could mistake for one of the document. */
const TAG = new RegExp(`<[\\s/]*(?:${Object.keys(vocabulary).join("|")})(?![\\w-])`, "i");

const CDATA = "<![CDATA[".length;

/**
 * How elements with untrusted text are written for a model: no text can end its element, because tags of PML are
 * written with entities, nor speak a protocol or a chat template, because `broken` breaks their markers.
 */
export const inPrompt = (broken: (text: string) => string): WriteOptions => ({
  text: broken,
  // The brackets of a section could form a marker together with its content.
  fitsCdata: (section) => !TAG.test(section.slice(CDATA)) && broken(section) === section,
});

/** For text of messages whose markers `renderPrompt` breaks: those of users, tools and the assistant. */
export const unchanged = (text: string): string => text;

/** An element as text for a system message, which is trusted: without CDATA, since any tag could be one of a protocol. */
export const systemXml = (element: OutElement): string =>
  writeElement(element, { text: escapeText, fitsCdata: () => false }).trimEnd();

/** Whether a text comes back by `unescapeText`. A word joiner that stands inside a marker does not. */
export const comesBack = (text: string): boolean => unescapeText(escapeText(text)) === text;
