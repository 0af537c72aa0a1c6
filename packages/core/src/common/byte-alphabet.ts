/**
 * GPT-2's printable character for each byte: the byte's own character if that is visible, else one from U+0100 on, in order.
 * Source: `bytes_to_unicode` of https://github.com/openai/gpt-2/blob/master/src/encoder.py
 */
export const byteAlphabet: readonly string[] = (() => {
  const isVisible = (byte: number) => (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isVisible(byte) ? byte : next++));
})();
