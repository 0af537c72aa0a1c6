/**
 * Cuts a text to at most `max` UTF-16 units, never inside a surrogate pair, and marks where it is cut.
 *
 * @example clip("Oslo, Norway", 5); // "Oslo…"
 */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = max - 1;
  const last = text.charCodeAt(end - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end)}…`;
}
