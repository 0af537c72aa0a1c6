const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const COUNT = LETTERS.length;

/** Four random letters and digits, of one random number. */
function four(): string {
  const first = Math.floor(Math.random() * COUNT ** 4);
  const second = Math.floor(first / COUNT);
  const third = Math.floor(second / COUNT);
  const fourth = Math.floor(third / COUNT);
  return String.fromCharCode(codeOf(first), codeOf(second), codeOf(third), codeOf(fourth));
}

const codeOf = (number: number) => LETTERS.charCodeAt(number % COUNT);

/** `call_` and 24 random letters and digits, like OpenAI's ids. */
export const randomId = (): string => `call_${four()}${four()}${four()}${four()}${four()}${four()}`;
