import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Asides } from "./asides.js";

/** Whether a text has words that may be none of it. */
function has(text: string, pieces: readonly string[] = [text]): boolean {
  const asides = new Asides(["Observation:", "Action:"]);
  for (const piece of pieces) asides.read(piece);
  return asides.end();
}

describe("a text may have words that are none of it", () => {
  test.each([
    ["a sentence on a later line", "ls -la\nI will wait for it."],
    ["a sentence in emphasis or parentheses", "ls -la\n(*This lists all files.*)"],
    ["a sentence of another script", "ls -la\n我会等待结果。"],
    ["the beginning of a paragraph", "ls -la\n\nI will wait for"],
    ["another turn", "ls -la\nHuman: thanks"],
    ["another turn with emphasis", "ls -la\n**Question 2:** why"],
    ["the number of a step", "ls -la\n## Step 2"],
    ["the word after which a model waits", "ls -la\nPAUSE"],
    ["a label within a line", "ls -la Observation: a b"],
    ["a label after a quote", '"ls"Action: x'],
    ["a sentence after quotes that are closed", 'echo "a\nb"\nI will wait.'],
    ["a sentence after a document with a quote", 'cat <<EOF\na "b\nEOF\nI will wait.'],
    ["a sentence after a document", "cat <<EOF\na\nEOF\nI will wait."],
  ])("%s", (_, text) => expect(has(text)).toBe(true));

  test.each([
    ["a sentence on its first line", "I will wait for it."],
    ["several lines of code", "for f in *; do\n  Echo $f;\ndone"],
    ["a comment", "ls\n# This lists all files."],
    ["an item of a list", "a\n- This is one."],
    ["an indented line", "a\n    This is more."],
    ["words within a paragraph", "ls -la\nI will wait for"],
    ["words with characters of code", "ls\nThe x = y."],
    ["a word alone", "ls\nDone."],
    ["a label within a word", "lsObservation: a"],
    ["a sentence in quotes", 'echo "a\nI will wait.\nb"'],
    ["an escaped quote", 'echo \\"a\nx'],
    ["a line with a quote in a document", 'cat <<EOF\na "b\nEOF\nx'],
    ["a sentence in a document", "cat <<'EOF'\nI will wait.\nEOF"],
    ["a line that is too long", `ls\nI ${"will ".repeat(60)}wait.`],
    ["the name of a step that goes on", "ls\nStep 2nd"],
  ])("not %s", (_, text) => expect(has(text)).toBe(false));

  test("in any pieces", () => {
    const part = fc.constantFrom("ls", "\n", " Observation:", "I will wait.", '"', "<<E", "E\n", "Human:", " ", "x");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join("");
        expect(has(text, [...text])).toBe(has(text));
      }),
      { numRuns: 300 },
    );
  });
});
