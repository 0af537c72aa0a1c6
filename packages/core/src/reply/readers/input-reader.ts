import { isObject } from "../../common/plain-object.js";
import { growingPattern, matchAt } from "../../notation/growing-pattern.js";
import { type Input, LOOKAHEAD, type Status, spaceEnd } from "../../notation/input.js";
import { JsonReader } from "../../notation/json/json-reader.js";
import { readJsonText } from "../../notation/json/read-json.js";
import { decide, Lookahead } from "../../notation/lookahead.js";
import { valuesOfLines } from "../../notation/loose-lines.js";
import { TextBuffer } from "../../notation/text-buffer.js";
import { wholeLength } from "../../notation/text-pieces.js";
import { SHORT_NAME } from "../../schema/names.js";
import { declares, type Plan } from "../../schema/plan.js";
import { requiredOf } from "../../schema/required.js";
import type { InputBody } from "../../syntax/syntax.js";
import type { RepairCode } from "../../types.js";
import type { Emitter } from "../arguments/emitter.js";
import { mayBeNothing, NOTHING } from "../arguments/lone-text.js";
import { labelEnd } from "../forms/labels.js";
import { turnEnd, turnIsOver } from "../forms/turn-end.js";
import { FENCE, openFence } from "../forms/wrapping.js";
import { Asides } from "./asides.js";

/** The name of another argument, after the value of the first: `city=Paris, days=3`. */
const NEXT_ARGUMENT = /[,;\n]\s{0,8}([\p{L}_][\p{L}\p{N}_]{0,63})\s{0,8}[=:]/gu;

/** A key in quotes and its colon. */
const KEY = /["']([\p{L}_][\p{L}\p{N}_.-]{0,63})["']\s{0,16}:/gu;

/** The name of an argument at the beginning of a text. */
const NAME = /^["'`]?([\p{L}_][\p{L}\p{N}_.-]{0,63})["'`]?[ \t]{0,8}([=:]?)/u;

const ARGUMENT = `(${SHORT_NAME})`;

/** The beginning of an argument in another format: `city=`, `(city=`, `f(city=`, `[{"city":`, `<city>`. */
const OTHER_FORMAT = growingPattern([
  ["[(\\[{]{1,3}", "\\s{0,8}", "[\"'`]?", ARGUMENT, "[\"'`]?", "\\s{0,8}", "[:=]", "[^=>]"],
  ["[\\p{L}_]", "[\\p{L}\\p{N}_.]{0,63}", " ?", "\\(", "\\s{0,8}", ARGUMENT, "\\s{0,8}", "=", "[^=>]"],
  [ARGUMENT, "[ \\t]{0,8}", "=", "[^=>]"],
  ["<", ARGUMENT, "\\s{0,8}", ">"],
]);

/** Elements of HTML and SVG, which are the text of an argument of the same name. */
const MARKUP = /^<(?:html|head|body|svg|title|code|pre|style|script|template|table|form|p|div|span|a|b|i)\b/i;

/** A heading with a number on a line of its own, `Step 2:`. */
const HEADING = growingPattern([
  ["[\\s#*_]{0,8}", "\\p{L}{1,16}", " ", "\\d{1,3}", "[:.)]?", "[*_]{0,3}", "[ \\t\\r]{0,8}", "\\n", "\\s{0,8}"],
]);

/** Where the text may end. */
const MAY_END = /[\n<[]/g;

/** What a reader of an input reports, and whether all quotes of its object may be escaped once more. */
interface InputNotes {
  repaired: (code: RepairCode) => void;
  rejected: (reason: string) => void;
  mayBeEscaped: boolean;
}

/**
 * Reads arguments that are the rest of a message, up to the next label: one JSON object, with or without a code fence,
 * or the only argument as text. A string streams; any text that may be something else is buffered.
 */
export class InputReader {
  failure = "";
  private json: JsonReader | undefined;
  private fenced = false;
  /** Whether a code fence around the text has ended, so that all of it is the input. */
  private fenceEnded = false;
  /** Whether the parameter's name came before the text. */
  private isNamed = false;
  /** Whether the text begins with that name, which may be part of the text. */
  private beginsNamed = false;
  /** Whether the text begins like the arguments of another format, which it may be. */
  private isOther = false;
  /** The parameter of the text, and whether the text streams. */
  private text: { key: string; streams: boolean } | undefined;
  private raw = new TextBuffer();
  /** White space that is part of the text only if more text follows. */
  private space = "";
  /** The last characters of text that streams. */
  private tail = "";
  /** What may be none of the text. */
  private readonly asides: Asides;

  constructor(
    private readonly body: Omit<InputBody, "body">,
    private readonly emitter: Emitter,
    private readonly plan: Plan,
    private readonly notes: InputNotes,
  ) {
    this.asides = new Asides(body.until);
  }

  get tooDeep(): boolean {
    return this.json?.tooDeep ?? false;
  }

  /** Whether the value may end here, because only the end of the message closes it. */
  get isBetweenValues(): boolean {
    return this.json === undefined || this.json.depth === 0;
  }

  /** Reads on; returns `done` before the label that ends the input. */
  read(input: Input): Status {
    if (!this.json && !this.text) {
      const status = this.begin(input);
      if (status) return status;
    }
    return this.json ? this.readObject(input, this.json) : this.readText(input);
  }

  /** Completes the arguments. */
  finish(): void {
    if (this.text?.streams) {
      this.endText();
      this.emitter.end("string");
      this.emitter.end("object");
    } else if (this.text) this.write(this.isOnLine ? this.lineText() : this.raw.toString(), this.text.key);
  }

  /** Whether the input is on the line of the name. */
  private get isOnLine(): boolean {
    return this.body.closer !== undefined;
  }

  /** The text up to its closer, which must end the line and be the only one that nothing opens. */
  private lineText(): string {
    const line = this.raw.toString();
    const text = (line.endsWith("]") ? line.slice(0, -1) : line).trim();
    if (this.body.closer === "" || !line.endsWith("]") || !areBracketsPaired(text))
      this.notes.rejected("words after its name may be a remark; write the input as one JSON object");
    else if (this.plan.properties.size > 1 && /[,=]/.test(text) && !/^["'{]/.test(text))
      this.notes.rejected("the text may contain another argument");
    return text;
  }

  /** Notes that the text may be shorter than it seems. */
  private endText(): void {
    if (this.asides.end() && !this.fenceEnded)
      this.notes.rejected("words after its input may be a part of it; write the input as one JSON object");
  }

  private begin(input: Input): Status | undefined {
    if (!input.skipSpace()) return "more";
    return decide(input, (look) => {
      const { text, pos } = input;
      const fence = this.fenced || this.isOnLine ? undefined : openFence(look, pos);
      if (fence) {
        return () => {
          input.pos = fence.from;
          this.fenced = true;
          return this.begin(input);
        };
      }
      if (this.labelAt(look, pos) || this.turnEndsAt(look, pos) !== undefined) return () => "done";
      if (text.charAt(pos) === "{" && this.body.closer !== "]") return () => this.beginObject(input);
      const named = this.isNamed ? false : textAfterName(look, pos, soleParameter(this.plan));
      if (named === false) return () => this.beginText(input);
      return () => {
        this.isNamed = true;
        this.notes.repaired("named-input");
        input.pos = named;
        return this.begin(input);
      };
    });
  }

  private beginObject(input: Input): undefined {
    const closes = (text: string, index: number) => {
      const ahead = new Lookahead({ text, final: input.final });
      const ends = this.endsAt(ahead, index);
      return ahead.hitEnd ? undefined : ends;
    };
    this.json = new JsonReader(this.emitter, { ...this.notes, closes });
  }

  /** Begins the text of the only parameter, which streams unless it may be more or other than that. */
  private beginText(input: Input): Status | undefined {
    const { text, pos } = input;
    const only = soleParameter(this.plan);
    const plan = this.plan.properties.get(only);
    const isText = plan ? plan.kind === "string" : !this.isDeclared;
    const line = text.slice(pos, pos + LOOKAHEAD).split("\n", 1)[0]!;
    const isCut = pos + line.length === text.length && !input.final;
    if (isCut && mayBeNothing(line)) return "more";
    return decide(input, (look) => {
      const isOther = !this.isNamed && !this.fenced && this.argumentBegins(look, pos);
      // Other arguments may follow on lines of their own.
      const isLine = this.plan.properties.size > 1 && (this.isNamed || this.nameBegins(look, pos));
      return () => {
        this.isOther = isOther;
        this.beginsNamed = this.isNamed || (line.startsWith(only) && /^\s*[=:]/.test(line.slice(only.length)));
        const isOnlyText =
          !isLine && !isOther && !this.isOnLine && !/["'`[]/.test(text.charAt(pos)) && !NOTHING.test(line.trim());
        this.text = { key: only, streams: isText && isOnlyText };
        if (!this.text.streams) return undefined;
        this.emitter.begin("object");
        this.emitter.key(only);
        this.emitter.begin("string");
        return undefined;
      };
    });
  }

  /** Whether the name of an argument is here, with a separator after it. */
  private nameBegins(look: Lookahead, pos: number): boolean {
    const window = look.text.slice(pos, pos + 2 * LOOKAHEAD);
    const [whole = "", name = "", separator = ""] = NAME.exec(window) ?? [];
    if (whole.length === window.length && window.length < 2 * LOOKAHEAD && separator === "") look.atEnd();
    return separator !== "" && declares(this.plan, name);
  }

  /** Whether the name of an argument is here as another format writes it. */
  private argumentBegins(look: Lookahead, pos: number): boolean {
    const [whole = "", ...names] = matchAt(look, pos, OTHER_FORMAT, 3 * LOOKAHEAD) ?? [];
    return !MARKUP.test(whole) && names.some((name) => name !== undefined && declares(this.plan, name));
  }

  /** Whether the tool declares its parameters. */
  private get isDeclared(): boolean {
    return typeof this.plan.schema === "object" && "properties" in this.plan.schema;
  }

  private readObject(input: Input, json: JsonReader): Status {
    if (json.depth > 0 || !json.isBetweenValues) {
      const status = json.read(input);
      if (status === "fail") this.failure = json.failure;
      if (status !== "done") return status;
    }
    if (!this.fenced) return "done";
    const at = spaceEnd(input.text, input.pos);
    if (at + FENCE.length > input.text.length && !input.final) return "more";
    if (input.text.startsWith(FENCE, at)) input.pos = at + FENCE.length;
    return "done";
  }

  private readText(input: Input): Status {
    const { text } = input;
    const look = new Lookahead(input);
    for (let at = nextEnd(text, input.pos); at >= 0; at = nextEnd(text, at + 1)) {
      const isBreak = text.charAt(at) === "\n";
      const end = isBreak
        ? this.isOnLine || this.endsAt(look, at + 1)
          ? at + 1
          : undefined
        : this.turnEndsAt(look, at);
      if (end === undefined && !look.hitEnd) continue;
      this.take(text.slice(input.pos, at));
      input.pos = at;
      if (look.hitEnd) return "more";
      this.fenceEnded = this.fenced && end !== undefined && text.startsWith(FENCE, end);
      if (this.fenceEnded) input.pos = end! + FENCE.length;
      else if (!isBreak && end !== undefined) input.pos = end;
      return "done";
    }
    const end = wholeLength(text, input.final);
    this.take(text.slice(input.pos, end));
    input.pos = Math.max(input.pos, end);
    return "more";
  }

  /** Whether the text ends here: at a label, also below a heading of its own, or at the end of its code fence. */
  private endsAt(look: Lookahead, index: number): boolean {
    if ((this.fenced && look.has(FENCE, index)) || this.labelAt(look, index)) return true;
    const window = look.text.slice(index, index + LOOKAHEAD);
    const heading = HEADING.whole.exec(window)?.[0] ?? "";
    if (window.length < LOOKAHEAD && HEADING.part.test(window)) look.atEnd();
    return heading !== "" && this.labelAt(look, index + heading.length);
  }

  private labelAt(look: Lookahead, index: number): boolean {
    return look.find(this.body.until, (label) => labelEnd(look, index, label) !== false) !== undefined;
  }

  /**
   * Where the text after the input begins, if tokens at an index end the turn: these, which the reply drops at its end, or the
   * label or code fence after them.
   */
  private turnEndsAt(look: Lookahead, index: number): number | undefined {
    const end = turnEnd(look, index);
    if (end === index) return undefined;
    if (end === undefined || turnIsOver(look, index)) return index;
    // On the line of the token a sentence may mention both.
    const isApart = /(?:\n[^\S\n]*|\S)$/.test(look.text.slice(index, end));
    return isApart && this.endsAt(look, end) ? end : undefined;
  }

  private take(piece: string): void {
    const body = piece.trimEnd();
    if (body === "") {
      this.space += piece;
      return;
    }
    const words = this.space + body;
    this.space = piece.slice(body.length);
    if (this.text?.streams) {
      this.emitter.text(words);
      if (this.showsKey(this.tail + words)) this.notes.rejected("the text may contain another argument");
      this.tail = (this.tail + words).slice(-2 * LOOKAHEAD);
    } else this.raw.push(words);
    this.asides.read(words);
  }

  /** Whether a text contains an argument's name in quotes with a colon, as in an object, or a second name. */
  private showsKey(text: string): boolean {
    const next = this.beginsNamed ? text.matchAll(NEXT_ARGUMENT) : [];
    const names = [...text.matchAll(KEY), ...next].map(([, name]) => name!);
    return names.some((name) => this.plan.properties.has(name));
  }

  /** Writes complete text: as the value of one argument, as nothing for none, perhaps as all of several. */
  private write(text: string, key: string): void {
    const { properties } = this.plan;
    if (text === "") return this.emitter.write({});
    if (NOTHING.test(text) && !allows(properties.get(key), text)) {
      this.notes.repaired("dropped-input");
      return this.emitter.write({});
    }
    const written = this.isNamed ? `${key}: ${text}` : text;
    const lines = valuesOfLines(written, this.plan, { mayBeText: properties.has(key) });
    if (lines && (!properties.has(key) || Object.hasOwn(lines, key))) {
      if (!this.isNamed) this.notes.repaired("loose-lines");
      return this.emitter.write(lines);
    }
    const value = /^["'[]/.test(text) ? (readJsonText(text) ?? text) : text.replace(/^`([^`]*)`$/, "$1");
    const inside = typeof value === "string" && /^\s*\{/.test(value) ? readJsonText(value) : undefined;
    if (isObject(inside) && Object.keys(inside).some((name) => properties.has(name))) return this.emitter.write(inside);
    // Several lines are the text of a program.
    if (this.isOther && !text.includes("\n"))
      this.notes.rejected("the text may be arguments in another format; write the input as one JSON object");
    const isBroken = /^["'[]/.test(text) && readJsonText(text) === undefined;
    if (isBroken || (!/^["'[{]/.test(text) && this.showsKey(text)))
      this.notes.rejected("the text may contain another argument");
    if (!isBroken && value === text) this.endText();
    if (properties.size > 0 && !properties.has(key)) return this.emitter.write(value);
    if (properties.size === 0 && this.isDeclared) {
      this.notes.repaired("dropped-input");
      return this.emitter.write({});
    }
    this.emitter.begin("object");
    this.emitter.key(key);
    this.emitter.write(value);
    this.emitter.end("object");
  }
}

/** The next index at which the text may end: at a line break, or at a token that ends the turn. */
function nextEnd(text: string, from: number): number {
  MAY_END.lastIndex = from;
  return MAY_END.exec(text)?.index ?? -1;
}

/** Whether each bracket is closed, and none before it is opened. */
function areBracketsPaired(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]]/g)) {
    depth += bracket === "[" ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Whether the schema of a parameter allows this text as a value. */
function allows(plan: Plan | undefined, text: string): boolean {
  const { enum: allowed } = typeof plan?.schema === "object" ? plan.schema : {};
  return Array.isArray(allowed) && allowed.includes(text);
}

/**
 * Where the text begins after the name of its parameter: `query: cats`, `query="cats"`. An equals sign before anything
 * but a quote is code.
 *
 * @returns false: there is no name.
 */
function textAfterName(look: Lookahead, from: number, name: string): number | false {
  if (name === "") return false;
  const window = look.text.slice(from, from + name.length + LOOKAHEAD);
  const quoted = /^["']/.test(window) ? window.charAt(0) : "";
  const written = `${quoted}${name}${quoted}`;
  const start = window.slice(0, written.length);
  if (start.toLowerCase() !== written.slice(0, start.length).toLowerCase()) return false;
  const [found] = /^\s*(?::\s*(?=\S)|=\s*(?=["']))/.exec(window.slice(written.length)) ?? [];
  if (start.length === written.length && found !== undefined) return from + written.length + found.length;
  const mayGoOn = /^\s*[:=]?\s*$/.test(window.slice(written.length));
  if (mayGoOn && window.length < name.length + LOOKAHEAD) look.atEnd();
  return false;
}

/** The parameter for text without a name: the only one, or the only required one. */
function soleParameter({ properties, schema }: Plan): string {
  const [first = "input", second] = properties.keys();
  if (second === undefined) return first;
  const [only = "", ...more] = requiredOf(schema);
  return more.length === 0 ? only : "";
}
