import { renderJson } from "./render-json.js";

/** A failure in a form for the model, without the place in the code where it happened. */
export interface ErrorText {
  message: string;
  /** The error's class, such as `TypeError`, when the text names one. */
  type?: string;
  /** Its code, such as `ENOENT`, when the text names one. */
  code?: string;
}

/** A line of a stack trace: of JavaScript (`at f (file.js:1:2)`) or of Python (`File "f.py", line 1`). */
const frame = /^\s+(?:at .*(?::\d+:\d+\)?|<anonymous>\)?|\(native\))|File ".*", line \d+.*)$/;

/**
 * Splits a failed tool's text into class and code as JavaScript writes them (`TypeError [CODE]: message`,
 * `ENOENT: message`) and the message. Removes the stack trace, which costs tokens and shows paths of the machine.
 *
 * @example
 * errorText("RangeError [E_DAY]: day 32\n    at parse (/srv/app.js:3:9)"); // { message: "day 32", type: "RangeError", code: "E_DAY" }
 */
export function errorText(content: string): ErrorText {
  const text = withoutStack(content);
  const [, type, bracketed, rest = text] =
    /^(?:Uncaught )?((?:[A-Z]\w*)?(?:Error|Exception))(?: \[(\w+)\])?: ([\s\S]*)$/.exec(text) ?? [];
  const [, prefixed, message = rest] = /^(E[A-Z0-9_]{2,}): ([\s\S]*)$/.exec(rest) ?? [];
  const code = bracketed ?? prefixed;
  return { message, ...(type ? { type } : {}), ...(code ? { code } : {}) };
}

/**
 * A result as text, for formats without a marker for failure: a JSON object with the key `error`, as most tools write
 * it.
 */
export const resultText = ({ content, isError }: { content: string; isError?: boolean }): string =>
  isError ? renderJson({ error: withoutStack(content) }) : content;

/** The text without the lines of a stack trace. */
export function withoutStack(content: string): string {
  const lines = content.split("\n");
  const kept = lines.filter((line, i) => {
    if (frame.test(line)) return false;
    // Python: the header carries no information, and the source line is indented more than its `File` line.
    if (line.trim() === "Traceback (most recent call last):") return false;
    return !(/^\s{4,}\S/.test(line) && /^\s*File ".*", line \d+/.test(lines[i - 1] ?? ""));
  });
  return kept.length === lines.length ? content : kept.join("\n").trim();
}
