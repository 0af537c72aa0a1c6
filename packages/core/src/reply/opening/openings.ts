import { endsWithMark } from "../../notation/comment.js";
import { type Input, LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { mayBeOtherTag } from "../../syntax/reasoning-spans.js";
import type { ToolTable } from "../arguments/tool-table.js";
import type { CallSequence } from "../calls/call-sequence.js";
import type { FormNode } from "../forms/forms.js";
import type { Opening, ToolElementSearch } from "../forms/opening.js";
import type { TextOutput } from "../output/text-output.js";
import { BareNames } from "./bare-names.js";
import type { Compiled } from "./compile.js";
import { couldBeCalls, WINDOW } from "./could-be-calls.js";
import { FENCES, type Fences, HTML } from "./fences.js";
import type { Decision, Found, TrialPlace } from "./found-openings.js";
import { type IgnoredMarker, IgnoredMarkers } from "./ignored-markers.js";
import { leadsToCall } from "./leads-to-call.js";
import { isPlainTag } from "./marker-index.js";
import { isMentioned } from "./mentioned.js";
import { readMessageHeader } from "./message-header.js";
import { OuterJson } from "./outer-json.js";
import { beginsCall, OuterMarkers } from "./outer-marker.js";
import { fenceAt, isLabelOfCalls, isOfCalls, packagingOf } from "./packaging.js";
import { PYTHON_LIST, PythonLines } from "./python-lines.js";
import { TextBefore } from "./text-before.js";

/** What calls may begin with: a tool's name, a line, or the first character of a marker or fence. */
type Kind = "name" | "line" | "marker";

/** The text that can follow the first character of calls without a marker. */
const STARTS: Record<string, RegExp> = { "{": /[\s"'“\w]|^$/, "[": /[\s{\p{L}_]|^$/u, "`": /`/, "~": /~/ };

/** An object, or the beginning of a list of objects. */
const OBJECT = /^\[?\s*\{/;

const isFenceCharacter = (char: string) => char === "`" || char === "~";

/** The parts of the parser that decide what may begin in its text. */
interface Context {
  input: Input;
  output: TextOutput;
  compiled: Compiled;
  tools: ToolTable;
  fences: Fences;
  calls: CallSequence;
  toolElements: ToolElementSearch | undefined;
}

const NOWHERE = { text: "", at: -1, found: undefined };

/** Detects what begins at a position in the text of a reply. */
export class Openings {
  /** Calls without a marker that may begin a line. */
  readonly bareForms: FormNode | undefined;
  /** Those of the requested format, which may begin anywhere. */
  private readonly ownBareForms: FormNode | undefined;
  /** JSON in the text that is not a call. */
  private json: OuterJson | undefined;
  /** The place in the reply where the last trial failed: no trial begins before it. */
  triedTo = 0;
  /** Whether only calls with a marker count: after that of a result before any call, what follows may be data. */
  private onlyMarked = false;

  private readonly before: TextBefore;
  /** What becomes of markers without a meaning. */
  private readonly ignored: IgnoredMarkers;
  /** The markers of calls that are around other calls. */
  private readonly outer: OuterMarkers;
  /** The lines of Python, if the requested format has a form in Python. */
  private readonly python: PythonLines | undefined;
  /** The tools' names, if calls of the requested format begin with one. */
  private readonly names: BareNames | undefined;
  /** The index that was last asked about, and the marker there. */
  private last: { text: string; at: number; found: Opening | undefined } = NOWHERE;

  /** The next marker and name in a text, from an index on. */
  private readonly ahead = { text: "", from: 0, marker: -1, name: -1 };

  constructor(private readonly context: Context) {
    this.before = new TextBefore(context.input, context.output);
    this.ignored = new IgnoredMarkers(context, this.before, (look, at) => this.callOrTurnFollows(look, at));
    const { bare, nameStarts } = context.compiled;
    this.outer = new OuterMarkers(context);
    if (nameStarts.length > 0) this.names = BareNames.of(nameStarts, context.tools);
    this.ownBareForms = bare.own;
    if (context.compiled.writesPython) this.python = new PythonLines();
    // Without known tools, only the requested format counts.
    this.bareForms = context.tools.areKnown ? bare.any : bare.own;
  }

  /** What calls without a marker are to the requested format. */
  get bareKind(): "own" | "other" {
    return this.ownBareForms ? "own" : "other";
  }

  /** The marker at an index; the answer is kept, because several decisions about one index need it. */
  markerAt(look: Lookahead, at: number): Opening | undefined {
    const { last } = this;
    if (last.at === at && last.text === look.text) return last.found;
    const found = this.outermost(look, this.context.compiled.markers.at(look, at), at);
    if (!look.hitEnd) this.last = { text: look.text, at, found };
    return found;
  }

  /**
   * What a marker means beside the text after it. The marker of a call that is only around calls with markers of their own has
   * no meaning. The tag of reasoning opens none if a tool has its name. Any other marker means what it was found as.
   */
  private outermost(look: Lookahead, found: Opening | undefined, at: number): Opening | undefined {
    if (found?.opens === "span" && mayBeOtherTag(found.span.open) && this.isToolTag(found.span.open)) return undefined;
    if (found?.opens !== "call" || look.hitEnd) return found;
    return this.outer.meaning(look, found, at);
  }

  private isToolTag(tag: string): boolean {
    const { tools } = this.context;
    return tools.areKnown && tools.knows(tag.slice(1, -1));
  }

  /** The next index at or after `from` to examine, or -1, and what may begin there. */
  next(text: string, from: number): { at: number; begins: "marker" | "name" | "both" } {
    const { markers } = this.context.compiled;
    if (!this.names) return { at: markers.next(text, from), begins: "marker" };
    // Both are cached until passed: if one of them is rare, each search would go to the end of the text.
    const { ahead, names } = this;
    const isOther = ahead.text !== text || from < ahead.from;
    if (isOther || (ahead.marker >= 0 && ahead.marker < from)) ahead.marker = markers.next(text, from);
    if (isOther || (ahead.name >= 0 && ahead.name < from))
      ahead.name = names.next(text, from, this.context.input.final);
    Object.assign(ahead, { text, from });
    const { marker: at, name } = ahead;
    if (name < 0 || (at >= 0 && at < name)) return { at, begins: "marker" };
    return { at: name, begins: at === name ? "both" : "name" };
  }

  /** What begins with the text of some kind at an index. */
  decide(kind: Kind, at: number): Decision {
    const look = new Lookahead(this.context.input);
    const found = this.read(kind, look, at);
    return look.hitEnd ? "more" : found;
  }

  private read(kind: Kind, look: Lookahead, at: number): Found | number {
    if (kind === "name") return this.name(look, at);
    if (kind === "line") return this.line(look, at);
    return isFenceCharacter(look.text.charAt(at)) ? this.ticks(look, at) : this.marker(look, at);
  }

  /** A call that begins with the name here. */
  private name(look: Lookahead, at: number): Found | number {
    const { fences } = this.context;
    const { text } = look;
    if (fences.quotedAt(at) || !this.mayTry(at) || this.isInStatement(at) || this.isInJson(text, at)) return at + 1;
    const begins = this.names?.at(look, at, this.before.beginsLine(at) ? "" : this.before.end(at));
    return begins && this.ownBareForms && !this.isCommentedOut(at)
      ? { opens: "trial", node: this.ownBareForms, kind: "own" }
      : at + 1;
  }

  /** A marker here, unless it is quoted. */
  private marker(look: Lookahead, at: number): Found | number {
    const { fences } = this.context;
    const found =
      this.ignored.turnAt(look, this.openingAt(look, at), at) ??
      (fences.isCode ? undefined : this.toolElementAt(look, at));
    if (look.hitEnd) return at;
    if (!found) return (fences.quotedAt(at) ? undefined : this.unmarked(look, at)) ?? at + 1;
    if (fences.line.quotesMarker(found, at, this.before.end(at))) {
      fences.line.quoteMarker();
      return at + 1;
    }
    if (fences.isInline) {
      if (found.opens === "call" || found.opens === "header") fences.quoteCall();
      return at + 1;
    }
    if (fences.fenced) {
      // A fence that is never closed quotes nothing, except tags that are only named after a tool.
      const call = found.opens === "call" && this.mayTry(at) ? this.trialOf(found.node) : undefined;
      return call?.kind === "marked" ? call : at + 1;
    }
    if (found.opens === "header") return this.header(look, at, found);
    const meant = this.ignored.asFound(found, at);
    if (meant.opens === "nothing") {
      if (this.ignored.closesDropped(meant)) return meant;
      return this.ignored.isMarkup(look, meant, at) && !this.isMentioned(look, meant, at) ? meant : at + 1;
    }
    if (meant.opens !== "call") return this.isMentioned(look, meant, at) ? at + 1 : meant;
    const isData = () => this.onlyMarked || (this.isInJson(look.text, at) && !this.isItem(at));
    if (meant.keys && this.isCommentedOut(at)) {
      // What is in the object is a part of the comment.
      this.noteBracket("{", at);
      return at + 1;
    }
    const isText = this.isMentioned(look, meant, at) || (meant.keys && isData());
    return isText ? at + meant.marker.length : meant;
  }

  /** Whether a sentence mentions the marker at an index. */
  private isMentioned(look: Lookahead, found: Opening, at: number): boolean {
    const place = {
      at,
      before: this.before.end(at),
      beginsLine: this.before.beginsLine(at),
      isInJson: () => this.isInJson(look.text, at),
    };
    return isMentioned(look, found, place, this.context.compiled, this.context.tools);
  }

  /** Whether an index is in a compound statement of Python. */
  private isInStatement(at: number): boolean {
    return this.python?.holds(this.before.longEnd(at)) === true;
  }

  /** Whether the mark of a comment comes directly before an index. Text before the mark may be a call that is meant. */
  private isCommentedOut(at: number): boolean {
    return endsWithMark(this.before.end(at));
  }

  /** Notes a marker without meaning that is dropped. */
  dropped(marker: IgnoredMarker): void {
    if (marker.where === "around-result") this.takeOnlyMarked();
    this.ignored.dropped(marker);
  }

  /** From here on, only calls with a marker count. */
  takeOnlyMarked(): void {
    this.onlyMarked = true;
  }

  /** Whether a call begins at an index with a marker that is not quoted, and that no sentence mentions; or another turn. */
  private callOrTurnFollows(look: Lookahead, at: number): boolean {
    const found = this.openingAt(look, at);
    if (found?.opens === "span" && this.context.compiled.turns.any.has(found.span)) return true;
    const isCall = found?.opens === "call" && !this.context.fences.line.quotesMarker(found, at, this.before.end(at));
    return isCall && !this.isMentioned(look, found, at);
  }

  /** The marker or tool's tag at an index. `skipped`: the last consumed text that is not output. */
  openingAt(look: Lookahead, at: number, skipped = ""): Opening | undefined {
    const { toolElements } = this.context;
    const found = this.markerAt(look, at);
    // In their own protocol these may begin anywhere, in others only at the beginning of a line of text.
    const mayBe = toolElements?.anywhere || (found?.opens === "call" && this.isOfTool(look, at, found.marker));
    if (look.hitEnd || !toolElements || !mayBe) return found;
    const beginsLine = this.before.beginsLine(at, skipped);
    if (!toolElements.anywhere && !beginsLine) return found;
    return toolElements.at(look, at, found ? "claimed" : beginsLine ? "line" : undefined) ?? found;
  }

  /** Whether the marker of another format's calls is a tool's tag, with elements: coding agents name a tool `use_mcp_tool`. */
  private isOfTool(look: Lookahead, at: number, marker: string): boolean {
    if (!isPlainTag(marker) || !this.isToolTag(marker) || this.context.compiled.ownMarkers.has(marker)) return false;
    return look.charAt(spaceEnd(look.text, at + marker.length)) === "<";
  }

  /** The beginning of this line: a label, or a call without its marker. */
  private line(look: Lookahead, at: number): Opening | number {
    this.noteLine(look, at);
    if (this.context.fences.isCode) return at;
    const marked = this.ignored.asFound(this.context.compiled.markers.atLine(look, at), at);
    if (marked || look.hitEnd) return marked ?? at;
    const element = this.context.toolElements?.anywhere && this.context.toolElements.atLine(look, at);
    return element || (this.ignored.bareTurnAt(look, at) ?? at);
  }

  /** Notes what this line of Python says of the calls after it: the name of a variable in a call is no text. */
  private noteLine(look: Lookahead, at: number): void {
    if (!this.python) return;
    const assigned = this.python.begin(look, at, this.before.longEnd(at));
    if (assigned !== undefined) this.context.calls.assigns(assigned);
  }

  /** The header of a message with a call, which a fence may be around. */
  callHeaderAt(look: Lookahead, at: number): Opening | undefined {
    const found = this.markerAt(look, at);
    if (found?.opens !== "header") return found;
    const header = this.header(look, at, found);
    return typeof header === "object" && header.opens === "message" && header.header.kind === "call"
      ? found
      : undefined;
  }

  /** The tag of a tool's element where such elements are no format of its own, or a closing tag of one. */
  private toolElementAt(look: Lookahead, at: number): Opening | undefined {
    const { toolElements } = this.context;
    const found =
      toolElements && !toolElements.anywhere && this.before.beginsLine(at) ? toolElements.at(look, at) : undefined;
    return found ?? toolElements?.closerAt(look, at);
  }

  /** The header of a message, or a part of one. */
  private header(
    look: Lookahead,
    at: number,
    { marker, atStart }: Extract<Opening, { opens: "header" }>,
  ): Found | number {
    const { compiled } = this.context;
    const { messages } = compiled;
    if (!messages || (atStart && (this.context.calls.count > 0 || this.before.hasProse(at)))) return at + 1;
    const header = readMessageHeader(look, at, messages);
    if (!header) {
      const noise = { opens: "nothing", marker, where: "anywhere" } as const;
      return atStart || this.isMentioned(look, noise, at) ? at + 1 : noise;
    }
    if (header.kind !== "call") return { opens: "message", header, messages };
    // The call may be written in a format of its own.
    const body = Math.min(spaceEnd(look.text, header.end), header.end + LOOKAHEAD);
    const names =
      !look.endsAt(body) && compiled.markers.at(look, body)?.opens !== "call" && messages.bodies.branches.length > 0;
    return { opens: "message", header: names ? header : { ...header, kind: "text" }, messages };
  }

  /** Handles backticks and tildes: a fence may wrap the calls of a format without a marker. */
  private ticks(look: Lookahead, at: number): Found | number {
    const { fences } = this.context;
    const isQuoted = fences.quotedAt(at);
    // A format may have fences as its markers.
    const marked = isQuoted ? undefined : this.openingAt(look, at);
    if (marked?.opens === "call" && !look.hitEnd) return marked;
    const fence = FENCES.find((marker) => look.text.startsWith(marker, at));
    const opens = fence !== undefined && this.before.hasProse(at) && !isQuoted;
    const found = opens ? (this.unmarked(look, at) ?? this.callInFence(look, at)) : undefined;
    const passed = found ?? (look.hitEnd ? at : fences.ticks(look, at));
    const isHeader = typeof passed === "object" && passed.opens === "header";
    return isHeader ? this.header(look, this.context.input.pos, passed) : passed;
  }

  /**
   * The call in the fence here, if the reply ends with it: one named after its tool, or an object with the format's own keys.
   */
  private callInFence(look: Lookahead, at: number): TrialPlace | undefined {
    const { toolElements } = this.context;
    if (look.hitEnd || !this.mayTry(at)) return undefined;
    const { language, length } = packagingOf(look.text.slice(at, at + WINDOW));
    const inside = at + length;
    if (HTML.test(language) || look.endsAt(inside)) return undefined;
    const marker = this.markerAt(look, inside);
    if (marker?.opens === "call" && marker.keys) return { opens: "trial", node: marker.node, kind: "fenced" };
    const found = toolElements?.anywhere ? toolElements.at(look, inside, marker ? "claimed" : "line") : undefined;
    return found?.opens === "call" ? this.trialOf(found.node) : undefined;
  }

  /** Possible calls without a marker: those of the requested format begin anywhere, others on a line of their own. */
  private unmarked(look: Lookahead, at: number): TrialPlace | undefined {
    const { input } = this.context;
    const char = input.text.charAt(at);
    if (!STARTS[char] || this.isInJson(input.text, at)) return undefined;
    const found = this.bareForms && this.unmarkedOutside(look, at);
    if (!found && !look.hitEnd && !isFenceCharacter(char)) this.noteBracket(char, at);
    return found;
  }

  /** Notes the bracket of JSON that is text, once what was read before it is known: an earlier bracket may have ended. */
  private noteBracket(bracket: string, at: number): void {
    const { input } = this.context;
    this.json ??= new OuterJson();
    this.json.read(input.text, at, input.place(0));
    this.json.begin(bracket, input.place(at));
  }

  /** Whether only the bracket of a list is before an index, or only a comma after the last call. */
  private isItem(at: number): boolean {
    const { calls, output } = this.context;
    if (calls.count === 0) return this.json?.isBareList === true;
    return calls.piecesAtEnd >= output.piecesAtMarkup && /^[\s,]*$/.test(this.before.end(at));
  }

  private isInJson(text: string, at: number): boolean {
    return this.json?.holds(text, at, this.context.input.place(0)) === true;
  }

  /** Runs before the text up to the current position is dropped. */
  passed(): void {
    const { input } = this.context;
    this.json?.read(input.text, input.pos, input.place(0));
  }

  private unmarkedOutside(look: Lookahead, at: number): TrialPlace | undefined {
    const { tools, calls, compiled } = this.context;
    const { text } = look;
    const starts = STARTS[text.charAt(at)];
    if (!starts || !this.mayTry(at) || !starts.test(text.charAt(at + 1))) return undefined;
    if (PYTHON_LIST.test(text.slice(at, at + WINDOW)) && this.isInStatement(at)) return undefined;
    // After an invalid call, JSON may be a part of its arguments.
    const mayBeOthers = !isFenceCharacter(text.charAt(at)) || isOfCalls(fenceAt(look, at)?.language ?? "");
    const isLabelled = isLabelOfCalls(this.before.end(at));
    const isOnItsOwn = isLabelled || this.before.beginsLine(at);
    const takesOthers = mayBeOthers && !calls.hadInvalid && isOnItsOwn;
    const node = takesOthers ? this.bareForms : this.ownBareForms;
    if (look.hitEnd || !node || this.isCommentedOut(at)) return undefined;
    const { bareKind: kind } = this;
    if (!couldBeCalls(look, at, tools, { mayAssign: false, isPython: compiled.isPython, isOwn: kind === "own" }))
      return undefined;
    const isOwn = compiled.writesObjects || (kind === "own" && !OBJECT.test(text.slice(at, at + WINDOW)));
    const isMeant = isOwn || isLabelled || isFenceCharacter(text.charAt(at));
    return { opens: "trial", node, kind: isMeant || this.isAnnounced(at) ? kind : "doubted" };
  }

  /** Whether no words are before an index, or only some that announce a call. */
  private isAnnounced(at: number): boolean {
    const { tools } = this.context;
    return !this.before.hasProse(at) || leadsToCall(this.before.longEnd(at), (name) => tools.knows(name));
  }

  /** Whether a call that counts only if the reply ends with it may begin at an index. */
  mayTry(at: number): boolean {
    return !this.onlyMarked && this.context.input.place(at) >= this.triedTo;
  }

  /** The trial of a call with its opener. One that is a tool's name, or only around the call, is no marker. */
  private trialOf(node: FormNode): TrialPlace {
    const isMarked = node === this.context.compiled.forms;
    return { opens: "trial", node, kind: isMarked ? "marked" : this.bareKind };
  }

  /** The next opener of a call in a range, or the index of a possible incomplete one. */
  nextCall(from: number, to: number, skipped = ""): { at: number; call?: TrialPlace } | undefined {
    const { text } = this.context.input;
    const { markers } = this.context.compiled;
    for (let i = markers.next(text, from); i >= 0 && i < to; i = markers.next(text, i + 1)) {
      const look = new Lookahead(this.context.input);
      const found = this.openingAt(look, i, skipped);
      const call = found?.opens === "call" && beginsCall(look, i, found, this.context.calls) ? found : undefined;
      if (look.hitEnd) return { at: i };
      if (call) return { at: i, call: this.trialOf(call.node) };
    }
    return undefined;
  }
}
