import { type Input, isIndent, LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { modelTurns, turnsAfterCalls } from "../../syntax/turn-tokens.js";
import type { ToolTable } from "../arguments/tool-table.js";
import type { CallSequence } from "../calls/call-sequence.js";
import type { Opening } from "../forms/opening.js";
import { turnIsOver } from "../forms/turn-end.js";
import type { TextOutput } from "../output/text-output.js";
import { bareRoleAt, labelledTurn, nextTurnAt, turnBegins } from "./bare-role.js";
import type { Compiled } from "./compile.js";
import { hasBar, isWholeTag } from "./marker-index.js";
import type { TextBefore } from "./text-before.js";

/** A marker without a meaning. */
export type IgnoredMarker = Extract<Opening, { opens: "nothing" }>;

/** The name of a tag, after the slash of a closing one. */
const TAG = /^<(\/?)([\w:.-]+)/;

/** Whether only white space with a line break in it follows a marker at an index. `from`: its end. */
const breaksLine = (look: Lookahead, at: number, from: number): boolean =>
  look.text.slice(from, Math.min(spaceEnd(look.text, from), at + LOOKAHEAD)).includes("\n");

/**
 * The end of a text that shows the token after it: a colon, an equals sign, a list's mark, the token that opens a user's
 * turn, or an indented line that is no item of a list, as code has.
 */
const SHOWS = /[:=]\s*$|\[INST\].*$|(^|\n)(( {2}|\t)(?!\s*([-*+]|\d+[.)])\s+\S).*|([-*+]|\d+[.)])\s+)$/;

/**
 * Whether the element `<s>` of HTML is open after a text. The first token of that name is an element if it opens after words.
 */
function isStruck(text: string): boolean {
  const first = text.search(/<\/?s>/);
  const isElement = first > 0 && text.startsWith("<s>", first) && text.slice(0, first).trim() !== "";
  return isElement && text.lastIndexOf("<s>") > text.lastIndexOf("</s>");
}

const SENTENCE_END = /[.!?…。！？]["'”’)\]]*\s*$/;

/** Where the indentation of a line ends. */
function indentEnd(look: Lookahead, at: number): number {
  let end = at;
  while (end - at < LOOKAHEAD && isIndent(look.text.charCodeAt(end))) end++;
  look.endsAt(end);
  return end;
}

/** Decides which markers without a meaning are markup, which is dropped, and which are text that mentions them. */
export class IgnoredMarkers {
  /** The names of the elements around calls or the answer that are open. */
  private readonly around = new Set<string>();
  /** The closing markers of those that were dropped in an answer. */
  private readonly closers = new Set<string>();

  constructor(
    private readonly context: {
      input: Input;
      output: TextOutput;
      calls: Pick<CallSequence, "count" | "hadEmptyList">;
      tools: ToolTable;
      compiled: Pick<Compiled, "turns">;
    },
    private readonly before: Pick<TextBefore, "hasProse" | "isBlank" | "beginsLine" | "longEnd">,
    /** Whether a call begins at an index, or another turn. */
    private readonly callOrTurnFollows: (look: Lookahead, at: number) => boolean,
  ) {}

  /** Notes a marker that is dropped. */
  dropped({ marker, where, close }: IgnoredMarker): void {
    this.closers.delete(marker);
    if (close !== undefined) this.closers.add(close);
    const [, slash, name] = TAG.exec(marker) ?? [];
    if (name === undefined) return;
    if (slash !== "") this.around.delete(name);
    else if (where.startsWith("around-")) this.around.add(name);
  }

  /**
   * The same opening; the beginning of another turn only ends this one, unless a call is directly before it. The end of a turn
   * begins another, if its label or token follows.
   */
  turnAt(look: Lookahead, found: Opening | undefined, at: number): Opening | undefined {
    if (found?.marker === "</s>" && isStruck(this.before.longEnd(at))) return undefined;
    const end = nextTurnAt(look, found, at, this.context.calls.count > 0 || this.before.hasProse(at));
    if (end !== undefined) return { marker: look.text.slice(at, end), opens: "span", span: labelledTurn };
    if (found?.opens !== "span" || !turnsAfterCalls.includes(found.span)) return found;
    if (this.followsCall(at)) return { marker: found.marker, opens: "span", span: labelledTurn, isPart: true };
    return { marker: found.marker, opens: "nothing", where: "end" };
  }

  /**
   * Before any call there are no results, so only the markers around them are dropped, and their content is text. The same
   * applies to the header of the model's own turn with which the reply begins. Another's turn stays a span.
   */
  asFound<T extends Opening | undefined>(found: T, at: number): T | Opening {
    if (found?.opens !== "span" || found.span.as !== "dropped" || this.context.calls.count > 0) return found;
    const { marker, span } = found;
    const isTurn = this.context.compiled.turns.any.has(span);
    const hasProse = this.before.hasProse(at);
    if (isTurn ? hasProse || !modelTurns.includes(marker) : !isWholeTag(marker) && span.close !== undefined)
      return found;
    if (isTurn) return { marker, opens: "nothing", where: "anywhere" };
    if (!hasProse) return { marker, opens: "nothing", where: "around-result" };
    return { marker, opens: "nothing", where: "anywhere", close: span.close };
  }

  /** Whether the opening marker of this one was dropped, so that no sentence mentions it. */
  closesDropped({ marker }: IgnoredMarker): boolean {
    return this.closers.has(marker);
  }

  /** The beginning of another turn directly after a call, of which only its role is left. No tool has that name. */
  bareTurnAt(look: Lookahead, at: number): Opening | undefined {
    const role = this.followsCall(at) ? bareRoleAt(look, indentEnd(look, at)) : undefined;
    if (role === undefined || this.context.tools.has(role)) return undefined;
    return { marker: role, opens: "span", span: labelledTurn, isPart: true };
  }

  /** Whether a marker without meaning is one here, and not text. */
  isMarkup(look: Lookahead, { marker, where }: IgnoredMarker, at: number): boolean {
    const { calls } = this.context;
    const from = at + marker.length;
    const ends = () => this.endsTurn(look, at, from);
    const endsAnswer = () => ends() && !SHOWS.test(this.before.longEnd(at));
    const closes = () => this.followsMarkup(at) || this.endsLine(look, at, from) || ends();
    const [, slash, name = ""] = TAG.exec(marker) ?? [];
    if (slash && this.around.has(name) && closes()) return true;
    switch (where) {
      case "after-call":
        if (calls.count > 0 || calls.hadEmptyList) return hasBar(marker) || closes();
        if (this.precedesCall(look, at, from) || (hasBar(marker) && endsAnswer())) return true;
        // Alone on the first line, it is written in place of the opening tag.
        return !this.before.hasProse(at) && breaksLine(look, at, from) && this.beginsMarkup(look, at, from);
      case "after-around":
        return false;
      case "around-answer":
        return this.before.beginsLine(at);
      case "start":
        return (calls.count === 0 && !this.before.hasProse(at)) || (/^\W/.test(marker) && endsAnswer());
      case "line-end":
        return !this.before.hasProse(at) || this.endsLine(look, at, from);
      case "end":
        return ends() || (hasBar(marker) && this.isBetweenSentences(look, at, from));
      default:
        return true;
    }
  }

  /** Whether a marker is after a sentence, and words follow. `from`: its end. */
  private isBetweenSentences(look: Lookahead, at: number, from: number): boolean {
    return SENTENCE_END.test(this.before.longEnd(at)) && /[\p{L}\p{N}]/u.test(look.charAt(spaceEnd(look.text, from)));
  }

  /** Whether only white space is between the last markup and an index. */
  private followsMarkup(at: number): boolean {
    return this.context.output.afterMarkup && this.before.isBlank(at);
  }

  /** Whether a call is before an index, and no text after it. */
  private followsCall(at: number): boolean {
    return this.context.calls.count > 0 && this.followsMarkup(at);
  }

  /** Whether a marker is the last of its line, or a call follows it. `from`: its end. */
  private endsLine(look: Lookahead, at: number, from: number): boolean {
    return breaksLine(look, at, from) || this.precedesCall(look, at, from);
  }

  /** Whether a call or another turn follows a marker directly. `from`: its end. */
  private precedesCall(look: Lookahead, at: number, from: number): boolean {
    const end = spaceEnd(look.text, from);
    return end - at <= LOOKAHEAD && !look.endsAt(end) && this.callOrTurnFollows(look, end);
  }

  /** Whether what may be a call follows a marker, and no words. `from`: its end. */
  private beginsMarkup(look: Lookahead, at: number, from: number): boolean {
    const end = spaceEnd(look.text, from);
    return end - at <= LOOKAHEAD && (look.endsAt(end) || /[<{[]/.test(look.text.charAt(end)));
  }

  /** Whether the reply or the turn ends after a marker, or a call follows there. `from`: its end. */
  private endsTurn(look: Lookahead, at: number, from: number): boolean {
    const end = spaceEnd(look.text, from);
    if (end - at > LOOKAHEAD) return false;
    if (turnIsOver(look, end, (next) => this.callOrTurnFollows(look, next))) return true;
    return this.followsCall(at) && turnBegins(look, end);
  }
}
