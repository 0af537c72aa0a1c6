/**
 * A test of the character at an index, as a regular expression for one character decides. For ASCII it decides only
 * once, because running an expression takes ten times as long as a look-up. After the end of the text, the answer is no.
 *
 * @example characterTest(/\d/)("a1", 1); // true
 */
export function characterTest(pattern: RegExp): (text: string, index: number) => boolean {
  const known = new Int8Array(0x80);
  return (text, index) => {
    const code = text.charCodeAt(index);
    if (!(code < 0x80)) return index < text.length && pattern.test(text.charAt(index));
    const answer = known[code];
    if (answer) return answer > 0;
    const passes = pattern.test(text.charAt(index));
    known[code] = passes ? 1 : -1;
    return passes;
  };
}
