const codesOf = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));

const LETTERS = codesOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");
const PREFIX = codesOf("call_");
const LENGTH = PREFIX.length + 24;

/** The codes of the next id: filling one list is much faster than making one, or than joining texts. */
const codes = [...PREFIX, ...new Array<number>(24).fill(0)];

/** `call_` and 24 random letters and digits, like OpenAI's ids. */
export function randomId(): string {
  for (let i = PREFIX.length; i < LENGTH; i++) codes[i] = LETTERS[Math.floor(Math.random() * LETTERS.length)] ?? 0;
  return String.fromCharCode.apply(undefined, codes);
}
