import { choice, literal, type Rules, repeat, sequence } from "../rules.js";
import { naturals, numberRange, type Range } from "./number-ranges.js";

/** The largest divisor: larger ones take too many rules. */
const MAX_DIVISOR = 64;
/** The maximum number of multiples, or of endings of multiples, that are listed. */
const MAX_LISTED = 128;
/** The maximum number of decimal places of a divisor, and of digits in a block of multiples. */
const MAX_PLACES = 15;

/** A divisor in whole units of a decimal place: 2.5 is 25 tenths. */
interface Divisor {
  units: number;
  places: number;
}

/** Whether every whole number is a multiple of this number, such as of 0.5. */
export const dividesOne = (factor: number): boolean => divisorOf(factor, true)?.units === 1;

/**
 * An expression for the multiples of a number in a range; empty: there are none; undefined: it takes too many rules.
 */
export function multipleRule(factor: number, range: Range, isWhole: boolean, rules: Rules): string | undefined {
  const divisor = divisorOf(factor, isWhole);
  if (!divisor) return undefined;
  const { units, places } = divisor;
  const [min, max] = [unitsFrom(range, divisor), unitsTo(range, divisor)];
  const isFree = max === Number.POSITIVE_INFINITY && min === Number.NEGATIVE_INFINITY;
  if (isFree || (max === Number.POSITIVE_INFINITY && min === 0)) {
    if (units === 1) return decimals(rules, places, isFree);
    return digitByDigit(rules, divisor, { signed: isFree, zero: true });
  }
  if (min > max) return "";
  if (![min, max].every((bound) => Math.abs(bound) <= Number.MAX_SAFE_INTEGER || !Number.isFinite(bound)))
    return undefined;
  const count = (max - min) / units + 1;
  if (count <= MAX_LISTED)
    return choice(Array.from({ length: count }, (_, i) => literal(spelled(min + i * units, places))));
  const closed = { minOpen: false, maxOpen: false };
  if (units === 1) {
    const [from, to] = [min / 10 ** places, max / 10 ** places];
    return [from, to].some((bound) => /e/.test(String(bound)))
      ? undefined
      : numberRange({ min: from, max: to, ...closed }, places);
  }
  const blocks = inBlocks(min, max, divisor, rules);
  if (blocks === undefined && min === units && max === Number.POSITIVE_INFINITY)
    return digitByDigit(rules, divisor, { signed: false, zero: false });
  return blocks;
}

/** Numbers with at most `places` decimal places. */
function decimals(rules: Rules, places: number, signed: boolean): string {
  const written = sequence(signed ? '"-"?' : "", '("0" | [1-9] [0-9]{0,20})', `("." [0-9]{1,${places}})?`);
  return rules.add(`decimal-${places}`, written);
}

/** The divisor of a number. `isWhole`: only whole multiples count, so that the divisor of 2.5 is 5. */
function divisorOf(factor: number, isWhole: boolean): Divisor | undefined {
  const [, whole, fraction = "", exponent = "0"] = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(factor)) ?? [];
  if (whole === undefined) return undefined;
  const places = fraction.length - Number(exponent);
  const units = Number(whole + fraction) * 10 ** Math.max(0, -places);
  if (places > MAX_PLACES || units > Number.MAX_SAFE_INTEGER) return undefined;
  if (!isWhole || places <= 0) return { units, places: Math.max(0, places) };
  return { units: units / common(units, 10 ** places), places: 0 };
}

const common = (a: number, b: number): number => (b === 0 ? a : common(b, a % b));

/** The first multiple of a range, in units of the divisor's place. */
function unitsFrom({ min, minOpen }: Range, divisor: Divisor): number {
  if (!Number.isFinite(min)) return min;
  const { steps, isMultiple } = inSteps(min, divisor);
  return (steps + (isMultiple && !minOpen ? 0 : 1)) * divisor.units;
}

/** The last multiple of a range, in units of the divisor's place. */
function unitsTo({ max, maxOpen }: Range, divisor: Divisor): number {
  if (!Number.isFinite(max)) return max;
  const { steps, isMultiple } = inSteps(max, divisor);
  return (steps - (isMultiple && maxOpen ? 1 : 0)) * divisor.units;
}

/** A bound divided by the divisor, rounded down. Uses decimal digits, because binary fractions are not exact. */
function inSteps(bound: number, { units, places }: Divisor): { steps: number; isMultiple: boolean } {
  const [digits = "0", exponent = "0"] = String(bound).split("e");
  const [whole = "0", fraction = ""] = digits.split(".");
  const shift = Number(exponent) - fraction.length + places;
  const dividend = BigInt(whole + fraction) * 10n ** BigInt(Math.max(0, shift));
  const divisor = BigInt(units) * 10n ** BigInt(Math.max(0, -shift));
  const rest = dividend % divisor;
  return { steps: Number(dividend / divisor - (rest < 0n ? 1n : 0n)), isMultiple: rest === 0n };
}

/** The number of `units`, in decimal notation. */
function spelled(units: number, places: number): string {
  const digits = String(Math.abs(units)).padStart(places + 1, "0");
  const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
  const whole = places === 0 ? digits : digits.slice(0, -places);
  return `${units < 0 ? "-" : ""}${whole}${places > 0 && fraction !== "" ? `.${fraction}` : ""}`;
}

/**
 * Multiples as the states of a long division, digit by digit, each with the fractions that complete a multiple.
 * `signed` includes negative numbers, `zero` includes 0. Undefined where there are too many states.
 */
function digitByDigit(
  rules: Rules,
  { units, places }: Divisor,
  { signed, zero }: { signed: boolean; zero: boolean },
): string | undefined {
  const factor = units / common(units, 10 ** places);
  if (factor > MAX_DIVISOR || (10 ** places / units) * factor > MAX_LISTED) return undefined;
  const hint = `multiple-of-${units}${places > 0 ? `-${places}` : ""}`;
  return rules.once(`${hint} ${signed} ${zero}`, hint, () => {
    const names = Array.from({ length: factor }, (_, rest) => rules.reserve(`${hint}-${rest}`));
    const steps = (rest: number, from: number) => {
      const byRest = new Map<number, string>();
      for (let digit = from; digit < 10; digit++) {
        const next = (rest * 10 + digit) % factor;
        byRest.set(next, (byRest.get(next) ?? "") + digit);
      }
      return [...byRest].map(([next, list]) => sequence(`[${list}]`, names[next]!));
    };
    const block = 10 ** places;
    const fractions = (rest: number) => {
      const first = (units - ((rest * block) % units)) % units;
      return Array.from({ length: Math.ceil((block - first) / units) }, (_, i) => fraction(first + i * units, places));
    };
    names.forEach((own, rest) => {
      rules.define(own, [...steps(rest, 0), ...fractions(rest).map((end) => end || '""')].join(" | "));
    });
    const small = zero ? fractions(0) : fractions(0).slice(1);
    const below = small.length === 0 ? [] : [sequence('"0"', choice(small))];
    return sequence(signed ? '"-"?' : "", choice([...below, ...steps(0, 1)]));
  });
}

/** The fraction of `units` after a whole number, with optional zeros at the end. */
function fraction(units: number, places: number): string {
  if (places === 0) return "";
  if (units === 0) return repeat(sequence('"."', repeat('"0"', 1, places)), 0, 1);
  const short = String(units).padStart(places, "0").replace(/0+$/, "");
  return sequence(literal(`.${short}`), repeat('"0"', 0, places - short.length));
}

/**
 * Multiples of a divisor of a power of ten: any leading digits, then one of the endings that multiples have. All
 * numbers are in units of the divisor's place.
 */
function inBlocks(min: number, max: number, { units, places }: Divisor, rules: Rules): string | undefined {
  const digits = Array.from({ length: MAX_PLACES }, (_, i) => places + i).find((count) => 10 ** count % units === 0);
  if (digits === undefined || 10 ** digits / units > MAX_LISTED) return undefined;
  const block = 10 ** digits;
  const parts: string[] = [];
  if (min < 0) parts.push(sequence('"-"', blocksFrom(max < 0 ? -max : units, -min)));
  if (max >= 0) parts.push(blocksFrom(Math.max(0, min), max));
  return choice(parts);

  function blocksFrom(low: number, high: number): string {
    const [first, last] = [Math.floor(low / block), Math.floor(high / block)];
    if (first === last) return from(first, low % block, high % block);
    const between = naturals(first + 1, last - 1);
    const all = rules.add("ending", endings(0, block - 1, true));
    const options = [from(first, low % block, block - 1)];
    if (between !== undefined) options.push(sequence(between, all));
    if (Number.isFinite(last)) options.push(from(last, 0, high % block));
    return choice(options);
  }

  /** Multiples with the same leading digits, which the first block does not have. */
  function from(blocks: number, low: number, high: number): string {
    const isPadded = blocks > 0 || digits === places;
    return sequence(isPadded ? literal(String(blocks)) : "", endings(low, high, isPadded));
  }

  function endings(low: number, high: number, isPadded: boolean): string {
    const list: string[] = [];
    for (let ending = Math.ceil(low / units) * units; ending <= high; ending += units) {
      const whole = String(Math.floor(ending / 10 ** places));
      const written = digits === places ? "" : literal(isPadded ? whole.padStart(digits! - places, "0") : whole);
      list.push(sequence(written, fraction(ending % 10 ** places, places)));
    }
    return choice(list);
  }
}
