/** Characters of one length in UTF-8: for each of their bytes, the range that it is in. */
type ByteRanges = readonly (readonly [first: number, last: number])[];

/**
 * The code points from `first` to `last` as ranges of bytes. Surrogates, which no UTF-8 has, are left out. The algorithm
 * is that of Rust's `regex` (`utf8-ranges`), which is Russ Cox's for RE2: a range is cut where its bytes are not independent.
 *
 * @example utf8Ranges(0x00, 0x7ff); // [[[0x00, 0x7f]], [[0xc2, 0xdf], [0x80, 0xbf]]]
 */
export function utf8Ranges(first: number, last: number): ByteRanges[] {
  if (first > last) return [];
  const cut = (at: number) => [...utf8Ranges(first, at), ...utf8Ranges(at + 1, last)];
  for (const most of LAST_OF_LENGTH) if (first <= most && most < last) return cut(most);
  if (first <= 0xdfff && last >= 0xd800) return [...utf8Ranges(first, 0xd7ff), ...utf8Ranges(0xe000, last)];
  const length = LAST_OF_LENGTH.findIndex((most) => last <= most) + 1;
  for (let i = 1; i < length; i++) {
    const low = 64 ** i - 1;
    if ((first & ~low) === (last & ~low)) continue;
    if ((first & low) !== 0) return cut(first | low);
    if ((last & low) !== low) return cut((last & ~low) - 1);
  }
  const from = encoded(first, length);
  const to = encoded(last, length);
  return [from.map((byte, i) => [byte, to[i] ?? byte] as const)];
}

/** The last code points of 1, 2, 3 and 4 bytes. */
const LAST_OF_LENGTH = [0x7f, 0x7ff, 0xffff, 0x10ffff];
/** The upper bits of the first byte, by the number of bytes. */
const LEADS = [0, 0, 0xc0, 0xe0, 0xf0];

function encoded(point: number, length: number): number[] {
  return Array.from({ length }, (_, i) => {
    const bits = point >> (6 * (length - 1 - i));
    return i === 0 ? (LEADS[length] ?? 0) | bits : 0x80 | (bits & 0x3f);
  });
}
