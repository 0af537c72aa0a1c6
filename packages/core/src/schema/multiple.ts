/**
 * Whether a number is a whole multiple of another one, both in decimal notation: 0.3 is a multiple of 0.1.
 *
 * @example isMultiple(19.99, 0.01); // true
 */
export function isMultiple(value: number, unit: number): boolean {
  if (!Number.isFinite(value)) return false;
  const [[digits, exponent], [unitDigits, unitExponent]] = [decimal(value), decimal(unit)];
  const shift = exponent - unitExponent;
  return shift >= 0
    ? (digits * 10n ** BigInt(shift)) % unitDigits === 0n
    : digits % (unitDigits * 10n ** BigInt(-shift)) === 0n;
}

/** A number as an integer times a power of ten. */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [digits = "", exponent = "0"] = Math.abs(value).toString().split("e");
  const [whole, fraction = ""] = digits.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
