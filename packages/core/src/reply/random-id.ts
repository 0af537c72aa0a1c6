const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** All pairs of letters. */
const PAIRS = [...LETTERS].flatMap((first) => [...LETTERS].map((second) => first + second));

/** `call_` and 24 random letters and digits, like OpenAI's ids. */
export function randomId(): string {
  let id = "call_";
  for (let i = 0; i < 12; i++) id += PAIRS[Math.floor(Math.random() * PAIRS.length)];
  return id;
}
