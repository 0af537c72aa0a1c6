import { matchAt } from "../../notation/growing-pattern.js";
import { type Input, LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { MarkdownCode } from "../../notation/markdown-code.js";
import { isLabel } from "../../syntax/tokens.js";
import type { Opening } from "../forms/opening.js";
import type { TextOutput } from "../output/text-output.js";
import type { Markers } from "./marker-index.js";
import { fenceAt, isOfCalls } from "./packaging.js";
import { QuotedLine } from "./quoted-line.js";

/** Languages of code whose tags are not calls. */
export const HTML = /^(?:html?|[jt]sx|vue|svelte|php)$/i;

/** The markers of code fences. */
export const FENCES = ["```", "~~~"] as const;

/** The reason of the `dropped` events for the markup around calls. */
export const AROUND_CALL = "markup around a call";

/** The rest of an opening tag. */
const REST_OF_TAG = /[^<>{}/\n`]*>?/y;

const WORD = "[A-Za-z_][\\w.-]*";

/**
 * The call after a tag in inline code: an object or list; or a name before its arguments, directly after the tag, or in a line.
 */
const CALL_AFTER_CODE = {
  whole: new RegExp(
    `^(?:[{[]|${WORD}[\`{]|[A-Za-z_][\\w.-]{2,}[ \\t]*\\n|[ \\t]*\\n${WORD}\\s*\\n[\`<]|\\s*(?:\\{\\s*["']|\\[\\s*\\{|${WORD}\\())`,
  ),
  part: new RegExp(`^\\s*(?:[{[]|${WORD})?\\s*$`),
};

/**
 * Whether inline code with these ticks contains only the tag whose marker ends at an index, so that a sentence names it. Where
 * a call follows, it does not: the model put only the call's tags in inline code.
 */
function isOnlyTag(look: Lookahead, from: number, ticks: string): boolean {
  REST_OF_TAG.lastIndex = from;
  const [rest = ""] = REST_OF_TAG.exec(look.text) ?? [];
  const end = from + rest.length;
  return rest.length < LOOKAHEAD && look.has(ticks, end) && !matchAt(look, end + ticks.length, CALL_AFTER_CODE);
}

/**
 * Code fences and inline code in the text of a reply, its block quotes and comments. Their contents are quotations and
 * contain no calls; a fence is markup only around the call that is the whole reply.
 */
export class Fences {
  /** The current line. */
  readonly line: QuotedLine;
  private readonly code = new MarkdownCode();
  /** Whether the inline code quotes the opener of a call, whose lines it then quotes too. */
  private quotesCall = false;
  /** The character of the code fence that is the whole reply and contains the call; empty without one. */
  private wraps = "";
  /** The number of texts before that fence. */
  private proseBefore = 0;
  /** Whether that fence is around a whole message, whose answer is text. */
  private wrapsMessage = false;
  /** Whether the whole reply is in a code fence. */
  private wrapsReply = false;

  constructor(
    private readonly input: Input,
    private readonly output: TextOutput,
    private readonly calls: { readonly count: number },
    private readonly markers: Pick<Markers, "at">,
  ) {
    this.line = new QuotedLine(input);
  }

  /** Whether the position is inside a code fence of an explanation. */
  get fenced(): boolean {
    return this.code.isFenced;
  }

  /** Whether the position is inside inline code of an explanation. */
  get isInline(): boolean {
    return this.code.isInline;
  }

  /** Whether the current text is code. */
  get isCode(): boolean {
    return this.code.isOpen;
  }

  /** Whether a call without a marker at an index is quoted. */
  quotedAt(at: number): boolean {
    return this.isCode || this.line.quotesUnmarked(at);
  }

  /** The opener of a call is in inline code. */
  quoteCall(): void {
    this.quotesCall = true;
  }

  /**
   * A line ends, and another one begins at an index. Inline code ends with it, unless it quotes a call: then it ends with
   * its paragraph.
   */
  newLine(isBlank: boolean, next: number): void {
    this.line.begins(next, isBlank);
    if (this.quotesCall && !isBlank) return;
    this.code.endLine();
    this.quotesCall = false;
  }

  /** Skips backticks or tildes, and returns the index after them; or the call that they only wrap. */
  ticks(look: Lookahead, at: number): Opening | number {
    const { text } = look;
    const char = text.charAt(at);
    let end = at;
    while (text.charAt(end) === char && end - at < LOOKAHEAD) end++;
    if (end - at < LOOKAHEAD) look.endsAt(end);
    // Fewer than three tildes strike text out.
    if (char === "~" && end - at < 3) return end;
    const isBlank = text.slice(this.input.pos, at).trim() === "";
    if (!this.isCode) {
      const wrapped = this.wrapped(look, at, end, isBlank && !this.output.prose);
      if (wrapped) return wrapped;
    }
    // After a call and no text, a fence before the end of the reply opens nothing.
    const isLast = this.wrapsReply || (!this.fenced && isBlank && this.output.afterMarkup && this.calls.count > 0);
    const after = spaceEnd(text, end);
    if (isLast && end - at >= 3 && after - at <= LOOKAHEAD && look.endsAt(after)) {
      return { opens: "nothing", marker: text.slice(at, end), where: "end" };
    }
    if (look.hitEnd) return end;
    if (this.code.pass(text.slice(at, end), text.charAt(end))) this.quotesCall = false;
    return end;
  }

  /**
   * What begins in the code at an index, whose ticks end at another, if it is around a call: where the reply begins, or in a
   * fence that says so.
   */
  private wrapped(look: Lookahead, at: number, end: number, isFirst: boolean): Opening | undefined {
    const { text } = look;
    const { language, end: begin } = fenceAt(look, at) ?? { language: "", end };
    if (look.hitEnd || !(isFirst || isOfCalls(language))) return undefined;
    const inside = spaceEnd(text, begin);
    if (inside - at > LOOKAHEAD) return undefined;
    if (look.endsAt(inside)) return undefined;
    const found = this.markers.at(look, inside);
    // In inline code, a word is one of a sentence that names it.
    const isWord = end - at < 3 && /^\w/.test(found?.marker ?? "");
    if (!found || look.hitEnd || HTML.test(language) || isWord) return undefined;
    if (end - at < 3 && isOnlyTag(look, inside + found.marker.length, text.slice(at, end))) return undefined;
    if (look.hitEnd) return undefined;
    const isCall = found.opens === "call" || found.opens === "header";
    // The labels of the requested format.
    const isReply = (found.opens === "span" || found.opens === "nothing") && isLabel(found.marker.trim());
    const isAround = found.opens === "nothing" && found.where === "around-calls";
    // A line inside inline code does not count as a line of its own.
    const isOfLine = found.opens === "call" && found.line;
    if (!(isCall && !isOfLine) && !((isCall || isReply || isAround) && end - at >= 3)) return undefined;
    this.wrapsReply = isReply;
    this.wrapsMessage = found.opens === "call" && found.keys !== undefined;
    this.output.text(text.slice(this.input.pos, at));
    this.output.dropped(text.slice(at, inside), AROUND_CALL);
    this.input.pos = inside;
    this.wraps = text.charAt(at);
    this.proseBefore = this.output.prosePieces;
    return found;
  }

  /** Skips the fence after a call in a fence; false: more input is needed. */
  close(): boolean {
    // With text in it, the fence is a quotation, unless it is the answer of the message in it.
    if (this.wrapsMessage) this.proseBefore = this.output.prosePieces;
    this.wrapsMessage = false;
    if (this.output.prosePieces !== this.proseBefore) this.wraps = "";
    if (this.wraps === "") return true;
    const { input } = this;
    const { text, pos } = input;
    const look = new Lookahead(input);
    const start = spaceEnd(text, pos);
    if (start - pos > LOOKAHEAD) {
      this.wraps = "";
      return true;
    }
    let end = start;
    while (text.charAt(end) === this.wraps && end - pos <= LOOKAHEAD) end++;
    if (end - pos <= LOOKAHEAD) look.endsAt(end);
    // Another call may follow in the same fence.
    const next = end === start ? this.markers.at(look, start) : undefined;
    if (look.hitEnd) return false;
    if (end > start) {
      this.output.dropped(text.slice(pos, end), AROUND_CALL);
      input.pos = end;
    }
    if (next === undefined) this.wraps = "";
    return true;
  }
}
