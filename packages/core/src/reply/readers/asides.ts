import { LOOKAHEAD } from "../../notation/input.js";
import { LABEL_COLONS, LABEL_MARKS } from "../../syntax/spelling.js";

/** The maximum length of a line that may be an aside. */
const MAX_LINE = 256;

/** What may come before a sentence. Comments, items of lists and indented lines belong to the text above. */
const BEFORE = ` ?[(${LABEL_MARKS}]{0,4}`;
const WORD = "[^\\s=<>{}|;\\\\]+";

/** A sentence on a line of its own; words of code have other characters, or begin in another way. */
const SENTENCE = new RegExp(
  `^${BEFORE}(?:\\p{Lu}[\\p{L}'’]*,?(?: ${WORD})+[.!?…]|\\p{Lo}[^\\n]*[。！？…])[)${LABEL_MARKS}]*$`,
  "u",
);

/** The words that begin a paragraph. */
const PARAGRAPH = new RegExp(`^${BEFORE}\\p{Lu}[\\p{Ll}'’]*,?(?: ${WORD}){2}`, "u");

/** The name of a role in a transcript, the number of a step, and the word after which a model of the first prompts waits. */
const TURN = new RegExp(
  `^[\\s#>${LABEL_MARKS}-]{0,8}(?:(?:USER|HUMAN|ASSISTANT|SYSTEM|QUESTION|User|Human|Assistant|System|AI|Question)[ \\d${LABEL_MARKS}]*[${LABEL_COLONS}]|(?:Step|STEP|Turn|Round|Iteration) \\d+\\b|(?:PAUSE|WAIT|STOP)\\W*$)`,
  "u",
);

/** The beginning of a document within a shell's command. */
const HERE_DOCUMENT = /<<-?\s*["']?(\w{1,64})/;

/**
 * Searches a text without quotes, which only the end of a message closes, for words that may be none of it: on a later line a
 * sentence, the beginning of a paragraph or of another turn; anywhere a label.
 *
 * @example
 * const asides = new Asides(["Observation:"]);
 * asides.read("ls -la\n\nI will wait for ");
 * asides.read("the result");
 * asides.end(); // true
 */
export class Asides {
  private readonly label: RegExp;
  private found = false;
  /** Whether a line was read, and whether the last one was empty. */
  private isLater = false;
  private afterEmpty = false;
  /** Whether a line before opened quotes that are not closed, and the word that ends the document within a command. */
  private isQuoted = false;
  private document: string | undefined;
  /** The beginning of the current line. */
  private line = "";
  /** The last characters. */
  private tail = "";

  constructor(labels: readonly string[]) {
    this.label = new RegExp(`[\\s.,;:!?)"'\`*](?:${labels.join("|")})`);
  }

  read(piece: string): void {
    this.found ||= this.label.test(this.tail + piece);
    this.tail = (this.tail + piece).slice(-LOOKAHEAD);
    const [rest = "", ...lines] = piece.split("\n");
    this.add(rest);
    for (const line of lines) {
      this.endLine();
      this.add(line);
    }
  }

  /** Whether there are such words. Runs at the end of the text. */
  end(): boolean {
    this.endLine();
    return this.found;
  }

  private add(part: string): void {
    if (this.line.length <= MAX_LINE) this.line += part.slice(0, MAX_LINE + 1);
  }

  private endLine(): void {
    const line = this.line.trimEnd();
    const isInside = this.isQuoted || this.document !== undefined;
    if (this.isLater && line.length <= MAX_LINE && !isInside)
      this.found ||= SENTENCE.test(line) || TURN.test(line) || (this.afterEmpty && PARAGRAPH.test(line));
    this.isLater = true;
    this.afterEmpty = line === "";
    this.line = "";
    if (this.document !== undefined) {
      if (line.trim() === this.document) this.document = undefined;
      return;
    }
    if ((line.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1) this.isQuoted = !this.isQuoted;
    if (!this.isQuoted) this.document = HERE_DOCUMENT.exec(line)?.[1];
  }
}
