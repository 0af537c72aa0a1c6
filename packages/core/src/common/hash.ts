/**
 * A stable hash of seven characters (FNV-1a over the UTF-16 units, in base 36). Another `seed` gives another hash.
 *
 * @example hash36("get_weather"); // seven letters and digits
 */
export function hash36(text: string, seed = 0): string {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36).padStart(7, "0");
}
