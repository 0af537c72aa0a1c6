/** How many characters at the end of a text may be the beginning of a marker. */
export function partial(text: string, from: number, marker: string): number {
  const first = marker.charAt(0);
  let at = text.indexOf(first, Math.max(from, text.length - marker.length + 1));
  while (at >= 0 && at < text.length && !marker.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
  return at < 0 ? 0 : text.length - at;
}
