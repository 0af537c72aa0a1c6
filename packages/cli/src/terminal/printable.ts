/**
 * Makes untrusted text safe for a terminal: control characters are shown as pictures, so that no reply can write
 * elsewhere on the screen. Line ends and tabs stay.
 *
 * @example printable("\u001b[2J"); // "␛[2J"
 */
export const printable = (text: string): string =>
  text.replace(steering, (char) => {
    const code = char.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "␡" : "�";
  });

/**
 * As {@link printable}, for text with our own styles, which stay.
 *
 * @example printableStyled("\u001b[1mname\u001b[22m \u001b[2J"); // the name in bold, then "␛[2J"
 */
export const printableStyled = (text: string): string =>
  text
    .split(styles)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join("");

/**
 * As {@link printable}, on one line, for untrusted names: a name cannot forge a line of a log.
 *
 * @example printableLine("m\n200 chat"); // "m␊200 chat"
 */
export const printableLine = (text: string): string => printable(text).replaceAll("\n", "␊");

/**
 * JSON with these characters escaped. The value stays the same.
 *
 * @example printableJson('"\u202e"'); // '"\\u202e"'
 */
export const printableJson = (json: string): string =>
  json.replace(steering, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

const ESCAPE = String.fromCharCode(0x1b);

// The group makes `split` keep the styles: bold, dim, a colour of the text, and their ends. Others could hide text.
const styles = new RegExp(`(${ESCAPE}\\[(?:0|1|2|22|3[1-6]|39)m)`);

// C0 except tab and line feed, DEL, C1, and the characters that change the direction of writing.
const steering = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
