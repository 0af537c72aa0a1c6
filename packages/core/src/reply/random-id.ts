const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** `call_` and 24 random letters and digits, as OpenAI's ids are. */
export function randomId(): string {
  let id = "call_";
  for (let i = 0; i < 24; i++) id += LETTERS.charAt(Math.floor(Math.random() * LETTERS.length));
  return id;
}
