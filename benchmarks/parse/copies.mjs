// Replies that are, or nearly are, copies of untrusted text. Each: the reply and that text, of about this length.
const call = (content) => `{"name": "write_file", "arguments": {"content": "${content}"}}\n`;

/** Calls of 64 characters, numbered; `step` -1: the last first. */
const numbered = (length, step = 1, more = "") => {
  const calls = Array.from({ length: length / 64 }, (_, i) => call(`${String(1e7 + i)}${more}`));
  return (step < 0 ? calls.reverse() : calls).join("");
};

export const copies = {
  "one long call": (length) => [call("a".repeat(length)), call("a".repeat(length))],
  "one long call, but for its end": (length) => [call(`${"a".repeat(length)}b`), call("a".repeat(length))],
  "many calls": (length) => [numbered(length), numbered(length)],
  "many calls, last first": (length) => [numbered(length), numbered(length, -1)],
  "many calls that differ a little": (length) => [numbered(length, 1, "_"), numbered(length)],
};
