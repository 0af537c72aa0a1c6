/**
 * The beginning and the end of a text, preferably in whole lines, with a note on what is left out between them. The
 * text itself if it would hardly become shorter.
 */
export function shortened(text: string, characters: number): string {
  if (text.length <= characters * 1.2 + 60) return text;
  const head = cutBack(text.slice(0, Math.ceil(characters * 0.7)), true);
  const tail = cutBack(text.slice(text.length - Math.floor(characters * 0.3)), false);
  const left = text.length - head.length - tail.length;
  return `${head}\n[… ${left.toLocaleString("en-US")} characters left out …]\n${tail}`;
}

/** Cuts at the end or the beginning of a line if that removes at most a third; never inside a surrogate pair. */
function cutBack(text: string, isHead: boolean): string {
  const at = isHead ? text.lastIndexOf("\n") : text.indexOf("\n");
  const isNear = at >= 0 && (isHead ? at > (text.length * 2) / 3 : at < text.length / 3);
  if (isNear) return isHead ? text.slice(0, at) : text.slice(at + 1);
  return isHead ? text.replace(/[\ud800-\udbff]$/, "") : text.replace(/^[\udc00-\udfff]/, "");
}
