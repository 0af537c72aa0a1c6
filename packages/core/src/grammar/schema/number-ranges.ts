import { choice, literal, type Rules, repeat, sequence } from "../rules.js";

/** The bounds of a number; an `open` bound is excluded. */
export interface Range {
  min: number;
  max: number;
  minOpen: boolean;
  maxOpen: boolean;
}

const DIGIT = "[0-9]";
/** The maximum number of digits of a number without an exponent. */
const LONGEST = 21;
/** How many digits every integer keeps. A call whose integer is rounded is refused, so no grammar lets a model write one. */
const KEPT = 15;

/** Integers from `min` to `max`, both included; undefined where there are none. */
export function integerRange(min: number, max: number): string | undefined {
  const options: string[] = [];
  if (min < 0) {
    const below = naturals(max < 0 ? -max : 1, -min);
    if (below !== undefined) options.push(sequence('"-"', below));
  }
  const above = naturals(Math.max(0, min), max);
  if (above !== undefined) options.push(above);
  return options.length === 0 ? undefined : choice(options);
}

/** Natural numbers in a range, without leading zeros. */
export function naturals(min: number, max: number): string | undefined {
  if (min > max) return undefined;
  const options: string[] = [];
  let from = min;
  for (let length = String(min).length; from <= max; length++) {
    if (from === 10 ** (length - 1)) {
      // All numbers with at least `length` digits.
      if (max === Number.POSITIVE_INFINITY) {
        options.push(...endless(length));
        break;
      }
      const longest = String(max + 1).length - 1;
      if (longest >= length) options.push(sequence("[1-9]", repeat(DIGIT, length - 1, longest - 1)));
      length = Math.max(length, longest + 1);
      from = 10 ** (length - 1);
      if (from > max) break;
    }
    const longer = 10 ** length;
    options.push(sameLength(String(from), max < longer ? String(max) : "9".repeat(length)));
    from = longer;
  }
  return choice(options);
}

/** All natural numbers with at least `length` digits that are kept exactly: long ones end with zeros. */
function endless(length: number): string[] {
  const zeros = LONGEST - KEPT;
  const short = `[1-9] ${DIGIT}{${length - 1},${KEPT - 1}} "0"{0,${zeros}}`;
  const long = `[1-9] ${DIGIT}{${KEPT - 1}} "0"{${length - KEPT},${zeros}}`;
  // All numbers with one digit more that are below 9 * 10 ** 15.
  const between = `[1-8] ${DIGIT}{${KEPT}}`;
  return [length <= KEPT ? short : long, ...(length > KEPT + 1 ? [] : [between])];
}

/** Any integer that is kept exactly. */
export const anyInteger = (): string => sequence('"-"?', choice(['"0"', ...endless(1)]));

/** Digits from `min` to `max`, which have the same length. */
function sameLength(min: string, max: string): string {
  if (min === max) return literal(min);
  if (min.length === 1) return `[${min}-${max}]`;
  const [low, high, restLow, restHigh] = [Number(min[0]), Number(max[0]), min.slice(1), max.slice(1)];
  if (low === high) return sequence(literal(min[0]!), sameLength(restLow, restHigh));
  const [zeros, nines] = ["0".repeat(restLow.length), "9".repeat(restLow.length)];
  const options: string[] = [];
  const [first, last] = [restLow === zeros ? low : low + 1, restHigh === nines ? high : high - 1];
  if (first > low) options.push(sequence(literal(min[0]!), sameLength(restLow, nines)));
  if (first <= last) {
    const digit = first === last ? literal(String(first)) : `[${first}-${last}]`;
    options.push(sequence(digit, repeat(DIGIT, zeros.length, zeros.length)));
  }
  if (last < high) options.push(sequence(literal(max[0]!), sameLength(zeros, restHigh)));
  return choice(options);
}

/**
 * Numbers in a range, in decimal notation; undefined where there are none or a bound has an exponent. With `places`,
 * numbers have at most that many decimal places; the range is then closed, and its ends have no more places.
 */
export function numberRange(range: Range, places?: number): string | undefined {
  const { min, max, minOpen, maxOpen } = places === undefined ? closed(range) : range;
  const options: (string | undefined)[] = [];
  if (min < 0) {
    const high = max < 0 ? { min: -max, minOpen: maxOpen } : { min: 0, minOpen: places === undefined };
    options.push(withSign(decimals({ ...high, max: -min, maxOpen: minOpen }, places)));
  }
  if (max >= 0)
    options.push(decimals(min < 0 ? { min: 0, minOpen: false, max, maxOpen } : { min, minOpen, max, maxOpen }, places));
  const possible = options.filter((option) => option !== undefined);
  return possible.length === 0 ? undefined : choice(possible);
}

/**
 * A range without open ends, except at 0. It begins at the next double, because a text nearer to the end is read as the
 * end.
 */
function closed({ min, max, minOpen, maxOpen }: Range): Range {
  const [from, to] = [minOpen ? beside(min, 1) : min, maxOpen ? beside(max, -1) : max];
  return { min: from, max: to, minOpen: minOpen && from === min, maxOpen: maxOpen && to === max };
}

/** The next double in a direction; the number itself where the next one is written with an exponent. */
function beside(bound: number, direction: 1 | -1): number {
  if (bound === 0 || !Number.isFinite(bound)) return bound;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, bound);
  bits.setBigInt64(0, bits.getBigInt64(0) + (bound > 0 === direction > 0 ? 1n : -1n));
  const next = bits.getFloat64(0);
  return /e/.test(String(next)) ? bound : next;
}

const withSign = (option: string | undefined) => (option === undefined ? undefined : sequence('"-"', option));

/**
 * Any number that a double can represent: the largest is 1.7976931348623157e308, and larger ones would be infinite. One without
 * a fraction and an exponent is kept exactly.
 */
export function anyNumber(): string {
  const most = point("1", between("", "7976931348623157", false, false))!;
  const whole = `("0" | [1-9] ${DIGIT}{0,20})`;
  const exponent = `[eE] ("-" ${DIGIT}{1,3} | "+"? ${DIGIT}{1,2})`;
  return sequence(
    '"-"?',
    choice([
      '"0"',
      ...endless(1),
      `${whole} (${FRACTION} (${exponent})? | ${exponent})`,
      `[1-9] ${ANY_FRACTION} [eE] "+"? ([12] ${DIGIT}{2} | "30" [0-7])`,
      `${most} [eE] "+"? "308"`,
    ]),
  );
}

/** Any number that is not whole, without an exponent. */
export const anyFraction = (): string => `"-"? ("0" | [1-9] ${DIGIT}{0,20}) "." "0"{0,24} [1-9] ${FURTHER}`;

/** Non-negative numbers in a range. */
function decimals({ min, max, minOpen, maxOpen }: Range, places?: number): string | undefined {
  const [low, lowFraction] = split(min);
  const [high, highFraction] = max === Number.POSITIVE_INFINITY ? [max, ""] : split(max);
  if (low > high) return undefined;
  const options: (string | undefined)[] = [];
  if (low === high) options.push(point(String(low), between(lowFraction, highFraction, minOpen, maxOpen, places)));
  else {
    options.push(point(String(low), between(lowFraction, undefined, minOpen, true, places)));
    const whole = naturals(low + 1, high - 1);
    const fraction = places === undefined ? ANY_FRACTION : `("." ${repeat(DIGIT, 1, places)})?`;
    if (whole !== undefined) options.push(sequence(whole, fraction));
    if (high !== Number.POSITIVE_INFINITY)
      options.push(point(String(high), between("", highFraction, false, maxOpen, places)));
  }
  const possible = () => options.filter((option) => option !== undefined);
  if (places !== undefined) return possible().length === 0 ? undefined : choice(possible());
  // Numbers that JavaScript writes with an exponent.
  const mantissa = `[1-9] ${ANY_FRACTION}`;
  const hundreds = `[12] ${DIGIT}{2} | "30" [0-7]`;
  if (max === Number.POSITIVE_INFINITY && min < 1e21)
    options.push(`${mantissa} [eE] "+" ("2" [1-9] | [3-9] ${DIGIT} | ${hundreds})`);
  if (min === 0 && max > 1e-6) {
    // The smallest number is 5e-324: smaller ones are read as 0.
    const small = `[12] ${DIGIT}{2} | "3" [01] ${DIGIT} | "32" [0-3]`;
    const exponent = minOpen ? `[1-9] ${DIGIT} | ${small}` : `[1-9] ${DIGIT}{1,2}`;
    options.push(`${mantissa} [eE] "-" ([7-9] | ${exponent})`);
    if (minOpen) options.push(`[5-9] ${ANY_FRACTION} [eE] "-324"`);
  }
  return possible().length === 0 ? undefined : choice(possible());
}

/** Moves digits that occur again and again to rules, each of which llama.cpp expands once. */
export function withShared(rules: Rules, expression: string): string {
  return expression
    .replaceAll(ANY_FRACTION, rules.add("frac", ANY_FRACTION))
    .replaceAll(FURTHER, rules.add("digits", FURTHER));
}

const FURTHER = `${DIGIT}{0,24}`;
const FRACTION = `"." ${DIGIT}{1,25}`;
const ANY_FRACTION = `(${FRACTION})?`;

function split(value: number): [whole: number, fraction: string] {
  const [, fraction = ""] = String(value).split(".");
  return [Math.trunc(value), fraction];
}

const point = (whole: string, fraction: Fraction | undefined) => {
  if (!fraction) return undefined;
  const some = fraction.some === undefined ? undefined : sequence('"."', fraction.some);
  if (some === undefined) return fraction.none ? literal(whole) : undefined;
  return sequence(literal(whole), fraction.none ? repeat(some, 0, 1) : some);
};

/** The digits after a point: whether they may be absent, and what they may be. */
interface Fraction {
  none: boolean;
  some: string | undefined;
}

/** Fractions from `low` to `high` (undefined: 1, excluded), with at most `places` digits. */
function between(
  low: string,
  high: string | undefined,
  lowOpen: boolean,
  highOpen: boolean,
  places?: number,
): Fraction | undefined {
  const none = low === "" && !lowOpen && !(high === "" && highOpen);
  const some = places === 0 ? undefined : digits(low, high, lowOpen, highOpen, places);
  return none || some !== undefined ? { none, some } : undefined;
}

function digits(
  low: string,
  high: string | undefined,
  lowOpen: boolean,
  highOpen: boolean,
  places?: number,
): string | undefined {
  const most = places ?? 25;
  if (low === "" && high === undefined) return lowOpen ? `"0"{0,24} [1-9] ${DIGIT}{0,24}` : `${DIGIT}${upTo(most)}`;
  if (low === "" && high === "") return lowOpen || highOpen ? undefined : `"0"${upTo(most)}`;
  const first = low === "" ? 0 : Number(low[0]);
  const last = high === undefined ? 10 : high === "" ? 0 : Number(high[0]);
  const options: string[] = [];
  const after = (digit: number, fraction: Fraction | undefined) => {
    if (!fraction) return;
    const more = fraction.some === undefined ? "" : fraction.none ? repeat(fraction.some, 0, 1) : fraction.some;
    if (fraction.none || more !== "") options.push(sequence(`"${digit}"`, more));
  };
  const left = places === undefined ? undefined : places - 1;
  const further = left === undefined ? FURTHER : repeat(DIGIT, 0, left);
  const [restLow, restHigh] = [low.slice(1), high?.slice(1)];
  if (first > last) return undefined;
  if (first === last) after(first, between(restLow, restHigh, lowOpen, highOpen, left));
  else {
    // From this digit on, any digits may follow.
    const from = restLow === "" && !lowOpen ? first : first + 1;
    if (from > first) after(first, between(restLow, undefined, lowOpen, true, left));
    if (from < last) options.push(`${from === last - 1 ? `"${from}"` : `[${from}-${last - 1}]`} ${further}`);
    if (high !== undefined) after(last, between("", restHigh, false, highOpen, left));
  }
  return options.length === 0 ? undefined : choice(options);
}

const upTo = (max: number) => `{1,${max}}`;
