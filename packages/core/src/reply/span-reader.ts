import { escapeRegExp } from "../common/escape-reg-exp.js";
import type { Input } from "../notation/input.js";
import { Lookahead } from "../notation/lookahead.js";
import type { Span } from "../syntax/syntax.js";
import { modelTurns, turnEndTokens } from "../syntax/turn-tokens.js";
import type { DroppedReason } from "../types.js";
import { firstMarker, type MarkerPlace } from "./first-marker.js";
import type { FormNode } from "./forms/forms.js";
import { type KnownTools, labelOpens } from "./forms/match-branch.js";
import type { Opening } from "./forms/opening.js";
import type { Markers } from "./opening/marker-index.js";
import type { Openings } from "./opening/openings.js";
import type { TextOutput } from "./output/text-output.js";

/** The reason of the `dropped` events for results that the model wrote itself. */
export const MADE_UP_RESULT = "a result that the model made up";

/** The reason for a turn of another party before the model's own. */
export const MADE_UP_TURN = "a turn that the model made up";

/** A part of the reply that is not the answer. */
export interface OpenSpan {
  as: Span["as"];
  /**
   * Markers that end it. Without one, reasoning continues to the next label, and dropped text to the end of the reply.
   */
  close: readonly string[];
  /** Markers before which it ends. */
  before: readonly string[];
  /** The reason of its `dropped` events; {@link MADE_UP_RESULT} by default. */
  reason?: DroppedReason;
}

/** A turn of another party, with which the reply begins: the model's own may follow. */
export const othersTurn: OpenSpan = { as: "dropped", close: turnEndTokens, before: modelTurns, reason: MADE_UP_TURN };

/** The input and output of a span. */
interface SpanContext {
  input: Input;
  output: TextOutput;
  openings: Openings;
  markers: Markers;
  calls: KnownTools;
}

/** How much of the text after a closer in inline code is searched for another one. */
const MAX_AFTER_QUOTE = 8192;

/** Reads one span: reasoning and text are emitted as they arrive, everything else is dropped. */
export class SpanReader {
  private readonly ends: readonly string[];
  /** Whether the text so far ends within inline code. */
  private inCode = false;

  constructor(
    private readonly span: OpenSpan,
    private readonly around: SpanContext,
  ) {
    this.ends = [...span.close, ...span.before];
  }

  /** Whether no marker ends it. */
  get isOpen(): boolean {
    return this.span.close.length === 0;
  }

  /** Reads on. `end`: the span has ended; a node: a possible call is here, in reasoning that may never be closed. */
  read(): "more" | "end" | FormNode {
    if (this.isOpen) return this.readToLabel();
    const { close, as } = this.span;
    const { input, openings } = this.around;
    const { pos } = input;
    const found = this.nextEnd();
    const from = Math.max(pos, openings.triedTo - input.place(0));
    const call = as !== "dropped" ? openings.nextCall(from, found.at) : undefined;
    this.emit(call?.at ?? found.at);
    if (call) return call.node ?? "more";
    if (found.end < 0) return "more";
    if (as === "text") this.emit(found.end);
    else if (close.includes(found.marker)) input.pos = found.end;
    return "end";
  }

  /** The next marker that ends it. A closer in inline code is not one if another follows. */
  private nextEnd(): MarkerPlace {
    const { input } = this.around;
    const found = firstMarker(input, this.ends);
    const { text, pos, final } = input;
    const { marker, at, end } = found;
    if (end < 0 || !this.span.close.includes(marker) || !endsInCode(text.slice(pos, at), this.inCode)) return found;
    const rest = text.slice(end, end + MAX_AFTER_QUOTE);
    if (rest !== "" && !rest.startsWith("`")) return found;
    const next = new RegExp(`(?<!\`)(?:${this.ends.map(escapeRegExp).join("|")})`).exec(rest);
    if (next) return { marker: next[0], at: end + next.index, end: end + next.index + next[0].length };
    const isOver = final || rest.length === MAX_AFTER_QUOTE;
    // What is dropped has no meaning, so that it may go on to the end.
    if (isOver && this.span.as === "dropped") return { marker, at: text.length, end: -1 };
    return isOver ? found : { ...found, end: -1 };
  }

  private readToLabel(): "more" | "end" {
    const { input, markers, calls } = this.around;
    const { text, pos } = input;
    let end = this.span.as === "dropped" ? -1 : text.indexOf("\n", pos);
    const look = new Lookahead(input);
    let found: Opening | undefined;
    for (; end >= 0; end = text.indexOf("\n", end + 1)) {
      found = markers.atLine(look, end + 1);
      if (found?.opens === "call" && !labelOpens(look, end + 1, found.node, calls)) found = undefined;
      if (found || look.hitEnd) break;
    }
    this.emit(end < 0 ? text.length : end);
    return found && !look.hitEnd ? "end" : "more";
  }

  /** Emits the text up to an index. */
  private emit(end: number): void {
    const { input, output } = this.around;
    const piece = input.text.slice(input.pos, end);
    this.inCode = endsInCode(piece, this.inCode);
    if (this.span.as === "reasoning") output.reasoning(piece);
    else if (this.span.as === "text") output.text(piece);
    else if (piece !== "") output.dropped(piece, this.span.reason ?? MADE_UP_RESULT);
    input.pos = end;
  }
}

/** Whether a text ends within inline code, which ends with its line. `inCode`: whether it begins there. */
function endsInCode(text: string, inCode: boolean): boolean {
  const line = text.lastIndexOf("\n") + 1;
  let isOpen = line === 0 && inCode;
  for (let i = text.indexOf("`", line); i >= 0; i = text.indexOf("`", i + 1)) isOpen = !isOpen;
  return isOpen;
}
