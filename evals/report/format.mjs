// How figures are written.
export const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

export const percent = (share, digits = 0) => `${(share * 100).toFixed(digits)} %`;
export const whole = (number) => Math.round(number).toLocaleString("en-US");
/** Three digits that count. */
export const short = (number) =>
  Math.abs(number) >= 1000 ? whole(number) : String(Number(Number(number).toPrecision(3)));
export const signed = (points) => `${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(1)}`;
export const plural = (count, noun) => `${whole(count)} ${noun}${count === 1 ? "" : "s"}`;

/** A cell of a table: its text, and its sort key. */
export const cell = (text, sort = text, more = {}) => ({ text: String(text), sort, ...more });
/** Whether something was reached, in a word and a colour. */
export const verdict = (good, words = ["yes", "no"]) =>
  cell(good ? words[0] : words[1], Number(good), { tone: good ? "good" : "bad" });

/** What findings say of us, in the order in which they are told. */
export const KINDS = ["loss", "open", "win"];

/** An interval of a share, in percent. */
export const interval = ({ low, high }) => `${(low * 100).toFixed(0)} to ${(high * 100).toFixed(0)} %`;
