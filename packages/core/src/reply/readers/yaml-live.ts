import { LOOKAHEAD } from "../../notation/input.js";
import { isSame } from "../../notation/repeated-keys.js";
import { TextBuffer } from "../../notation/text-buffer.js";
import { readSettled } from "../../notation/yaml/yaml-text.js";
import { type Plan, property } from "../../schema/plan.js";
import type { Emitter } from "../arguments/emitter.js";

/** The header of a literal block: its indentation, its key, and the indicators of its text. */
const HEADER = /^([ ]*)([\p{L}_][\p{L}\p{N}_.-]*):[ ]+\|([1-9]?[-+]?|[-+][1-9])[ ]*\n$/u;

/** The limit of a header, in UTF-16 code units. */
const MAX_HEADER = 4 * LOOKAHEAD;

const FIRST_KEY = /^[ ]*[\p{L}_][\p{L}\p{N}_.-]*:\s/u;

interface BlockHeader {
  key: string;
  /** The indentation of its text if the header says it, and what becomes of the newlines at the end. */
  indent: number | undefined;
  chomping: string;
  /** Its position in the lines since the last block. */
  from: number;
}

/** The white space between a header and the text of its block. */
interface Margin {
  in: "margin";
  header: BlockHeader;
  /** The spaces of the current line so far. */
  column: number;
  breaks: number;
  /** The most spaces of an empty line. */
  blank: number;
}

/** A block that streams. */
interface Block {
  in: "block";
  key: string;
  chomping: string;
  indent: number;
  /** The spaces of the current line so far; undefined: its text has begun. */
  column: number | undefined;
  /** White space that is text if more text follows. */
  space: string;
  /** What was emitted. */
  text: TextBuffer;
}

/** `lines`: outside of blocks that stream. `rest`: the rest is buffered; a block may be open. */
type State = { in: "lines" } | Margin | Block | { in: "rest"; open?: Block };

/**
 * Emits those arguments of a YAML mapping that no later line can change: the text of a literal block while it is being
 * written, and the arguments before it. The others are emitted when the mapping is complete.
 *
 * A block streams if its first line is indented deeper than its key, and all readings of the lines before it are equal.
 * Then the whole mapping, as it is or repaired, either has the same values, or is no valid call.
 */
export class LiveYaml {
  private state: State = { in: "lines" };
  /** The lines since the last block, their length, and the last one of them. */
  private readonly lines = new TextBuffer();
  private length = 0;
  private line = "";
  /** The complete values that were emitted. */
  private readonly emitted = new Map<string, unknown>();
  private hasBegun = false;

  constructor(
    private readonly emitter: Emitter,
    private readonly plan: Plan,
    /** The indentation of the keys. */
    private readonly indent: number,
  ) {}

  /** Reads a piece of the mapping, which begins with the indentation of the first key. */
  push(piece: string): void {
    for (let at = 0; at < piece.length; ) at = this.read(piece, at);
  }

  private read(text: string, at: number): number {
    const { state } = this;
    switch (state.in) {
      case "lines":
        return this.readLine(text, at);
      case "margin":
        return this.readMargin(text, at, state);
      case "block":
        if (state.column === undefined) return this.readText(text, at, state);
        return this.readIndent(text, at, state, state.column);
      case "rest":
        return text.length;
    }
  }

  /** Outside of blocks: looks for the next header. */
  private readLine(text: string, at: number): number {
    const end = text.indexOf("\n", at) + 1 || text.length;
    const part = text.slice(at, end);
    this.take(part);
    if (this.line.length <= MAX_HEADER) this.line += part;
    if (part.endsWith("\n")) this.endLine();
    return end;
  }

  private take(part: string): void {
    this.lines.push(part);
    this.length += part.length;
  }

  private endLine(): void {
    const { line } = this;
    this.line = "";
    const [, space = "", key = "", marks = ""] = (line.length <= MAX_HEADER && HEADER.exec(line)) || [];
    if (key === "" || space.length !== this.indent || !this.isNew(key)) return;
    const [deeper] = /\d/.exec(marks) ?? [];
    const header = {
      key,
      indent: deeper === undefined ? undefined : this.indent + Number(deeper),
      chomping: marks.replace(/\d/, ""),
      from: this.length - line.length,
    };
    this.state = { in: "margin", header, column: 0, breaks: 0, blank: 0 };
  }

  /** Whether a key is written as the schema has it, and has no value so far. */
  private isNew(key: string): boolean {
    const { properties } = this.plan;
    const isDeclared = properties.size > 0 ? properties.has(key) : property(this.plan, key)?.key === key;
    return isDeclared && !this.emitted.has(key);
  }

  /** After a header: the first line with text decides whether the block streams. */
  private readMargin(text: string, at: number, state: Margin): number {
    const char = text.charAt(at);
    if (char === " ") state.column++;
    else if (char === "\n") {
      state.blank = Math.max(state.blank, state.column);
      state.breaks++;
      state.column = 0;
    } else {
      this.beginBlock(state);
      return at;
    }
    this.take(char);
    return at + 1;
  }

  private beginBlock({ header, column, breaks, blank }: Margin): void {
    const { indent = column } = header;
    if (column <= this.indent || column < indent || blank > indent) {
      // The library reads this block, with the lines around it.
      this.line = " ".repeat(column);
      this.state = { in: "lines" };
      return;
    }
    const before = this.readBefore(header);
    if (!before) {
      this.state = { in: "rest" };
      return;
    }
    if (!this.hasBegun) this.emitter.begin("object");
    this.hasBegun = true;
    for (const [key, value] of before) this.write(key, value);
    this.emitter.key(header.key);
    this.emitter.begin("string");
    const { key, chomping } = header;
    const space = "\n".repeat(breaks);
    this.state = { in: "block", key, chomping, indent, column, space, text: new TextBuffer() };
  }

  /** The arguments before a header; undefined: another line may change them. */
  private readBefore({ key, from }: BlockHeader): [string, unknown][] | undefined {
    const lines = this.lines.take().slice(0, from);
    this.length = 0;
    if (lines.trim() === "") return [];
    const values = FIRST_KEY.test(lines) ? Object.entries(readSettled(lines, this.plan) ?? {}) : [];
    const isSettled = values.length > 0 && values.every(([name]) => name !== key && this.isNew(name));
    return isSettled ? values : undefined;
  }

  private write(key: string, value: unknown): void {
    this.emitter.key(key);
    this.emitter.write(value);
    this.emitted.set(key, value);
  }

  /** Reads the indentation of a line of a block, up to its text or its newline. */
  private readIndent(text: string, at: number, block: Block, column: number): number {
    const char = text.charAt(at);
    if (char === " ") block.column = column + 1;
    else if (char === "\n") {
      block.space += `${" ".repeat(Math.max(0, column - block.indent))}\n`;
      block.column = 0;
    } else if (column < block.indent || char === "\r") {
      this.leaveBlock(char, block, column);
      return at;
    } else {
      this.emit(block.space + " ".repeat(column - block.indent), block);
      block.column = undefined;
      return at;
    }
    return at + 1;
  }

  private readText(text: string, at: number, block: Block): number {
    const end = text.indexOf("\n", at);
    const piece = text.slice(at, end < 0 ? text.length : end);
    const carriage = piece.indexOf("\r");
    this.emit(carriage < 0 ? piece : piece.slice(0, carriage), block);
    // Whether a carriage return is text depends on what follows.
    if (carriage >= 0) this.state = { in: "rest", open: block };
    if (end < 0) return text.length;
    block.space = "\n";
    block.column = 0;
    return end + 1;
  }

  private emit(piece: string, { text }: Block): void {
    if (piece === "") return;
    this.emitter.text(piece);
    text.push(piece);
  }

  /** A line with less indentation than the text of a block: the next argument, or a broken line. */
  private leaveBlock(char: string, block: Block, column: number): void {
    const { key, chomping, space, text } = block;
    if (column !== this.indent || /[\t\r]/.test(char) || !/^\n+$/.test(space)) {
      this.state = { in: "rest", open: block };
      return;
    }
    this.emit(chomping === "+" ? space : chomping === "-" ? "" : "\n", block);
    this.emitter.end("string");
    this.emitted.set(key, text.toString());
    this.line = " ".repeat(column);
    this.take(this.line);
    this.state = { in: "lines" };
  }

  /** Emits the rest of the arguments. Returns whether those that were emitted before are the same in the whole. */
  complete(value: Record<string, unknown>): boolean {
    const { emitter, emitted, state } = this;
    if (!this.hasBegun) {
      emitter.write(value);
      return true;
    }
    const open = state.in === "rest" ? state.open : state.in === "block" ? state : undefined;
    if (open) {
      const text = open.text.toString();
      const whole = value[open.key];
      const goesOn = typeof whole === "string" && whole.startsWith(text);
      if (goesOn) emitter.text(whole.slice(text.length));
      emitter.end("string");
      emitted.set(open.key, goesOn ? whole : text);
    }
    const before = [...emitted];
    for (const [key, part] of Object.entries(value)) if (!emitted.has(key)) this.write(key, part);
    emitter.end("object");
    return before.every(([key, part]) => Object.hasOwn(value, key) && isSame(value[key], part));
  }
}
