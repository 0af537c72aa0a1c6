/**
 * What is known of a string at an escape: whether it is a Windows path whose backslashes are literal, and the text so far, or
 * its end.
 */
interface Before {
  isPath: boolean;
  text(): string;
}

/**
 * How to read an escape of a Python string that JSON lacks, given without its backslash, with the character after it;
 * undefined: as in any string. `doubtful`: writers mostly mean another value than it has (an octal number of one or two digits
 * is the group of a pattern, `\1`), or its value is unknown (a character by its name).
 *
 * Source: the Python Language Reference, 2.5.1.
 *
 * @example readPythonEscape("N", "{", { isPath: false, text: () => "It is 5 " }); // "doubtful"
 */
export function readPythonEscape(escaped: string, next: string, before: Before): "literal" | "doubtful" | undefined {
  if (escaped === "N" && next === "{") return "doubtful";
  if (!/^[0-7]/.test(escaped)) return undefined;
  if (before.isPath) return "literal";
  return escaped.length === 1 || /^[A-Za-z]:/.test(before.text()) ? "doubtful" : undefined;
}
