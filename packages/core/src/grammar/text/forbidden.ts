import { LABEL_LEAD } from "../../syntax/label-lead.js";

/**
 * A text that must not occur: a sequence of characters, each one of `chars`. `many`: any number of them, including
 * none. `name: false`: the next character cannot be part of a name, or the text ends.
 */
export type Forbidden = readonly ({ chars: string; many?: true } | { name: false })[];

/** Exactly this word. */
export const word = (text: string): Forbidden => [...text].map((chars) => ({ chars }));

/** This text in any case. */
export const inAnyCase = (text: string): Forbidden => [...text].map((char) => ({ chars: bothCases(char) }));

/** A character in lower and upper case, where each is one character. */
export const bothCases = (char: string): string =>
  [...new Set([char, char.toLowerCase(), char.toUpperCase()])].filter((one) => one.length === 1).join("");

/** Characters without which no forbidden text can occur: the first character of each that is not whitespace. */
export function keptOut(forbidden: readonly Forbidden[]): string {
  const firsts = forbidden.map((steps) => {
    const step = steps.find((one) => "chars" in one && one.chars.trim() !== "") ?? steps[0];
    return step && "chars" in step ? step.chars : "";
  });
  return [...new Set(firsts.join(""))].join("");
}

/** The ASCII characters that can be part of a name. */
export const NAME_CHARACTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-"];

/** White space within a line. */
export const SPACE = " \t\v\f\r\u00a0\ufeff";

/** The beginning of a line, up to a label. Other markers of a line follow white space only, so this is wider for them. */
export const LINE_START: Forbidden = [{ chars: "\n" }, { chars: SPACE + LABEL_LEAD, many: true }];

/** Represents the beginning of a text, which contains no such character. */
export const START = "\0";

/** The beginning of a text, after white space in ASCII: xgrammar does not read classes that exclude other white space. */
export const TEXT_START: Forbidden = [{ chars: START }, { chars: " \t\v\f\r\n", many: true }];
