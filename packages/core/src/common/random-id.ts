const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const COUNT = LETTERS.length;
const FOUR = COUNT ** 4;

/** Eight random letters and digits, of one random number: it has more digits than these need. */
function eight(): string {
  const random = Math.random() * FOUR;
  // Both numbers have at most 24 bits; calculating with integers takes three quarters of the time.
  const a = random | 0;
  const b = ((random - a) * FOUR) | 0;
  const [a1, b1] = [over(a), over(b)];
  const [a2, b2] = [over(a1), over(b1)];
  return String.fromCharCode(code(a), code(a1), code(a2), code(over(a2)), code(b), code(b1), code(b2), code(over(b2)));
}

/** A number without its last digit, and the letter of that digit. */
const over = (number: number) => (number / COUNT) | 0;
const code = (number: number) => LETTERS.charCodeAt(number % COUNT);

/** `call_` and 24 random letters and digits, like OpenAI's ids. */
export const randomId = (): string => `call_${eight()}${eight()}${eight()}`;
