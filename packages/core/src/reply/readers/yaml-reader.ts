import { type Input, LOOKAHEAD, type Status } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { closingTagEnd } from "../../notation/markup/markup.js";
import { TextBuffer } from "../../notation/text-buffer.js";
import { readYaml } from "../../notation/yaml/yaml-text.js";
import { PLAIN_NAME } from "../../schema/names.js";
import type { Plan } from "../../schema/plan.js";
import type { RepairCode } from "../../types.js";
import type { Emitter } from "../arguments/emitter.js";
import { loneArgument, mayContainArguments } from "../arguments/lone-text.js";
import { oddKey } from "../arguments/odd-key.js";
import { textArgument } from "../arguments/wrapped.js";
import { LiveYaml } from "./yaml-live.js";

/** The call whose arguments are YAML. */
interface YamlCall {
  emitter: Emitter;
  plan: Plan;
  /** The closing tags that end the arguments. */
  closers: readonly string[];
  repaired(code: RepairCode): void;
  rejected(reason: string): void;
  /** The white space before the first key. */
  gap: string;
  /** Whether a tag of this name opens calls in any format that is read. */
  opensCalls(name: string): boolean;
}

/**
 * Reads arguments that are a YAML mapping. The meaning of a line may depend on any other, so they are read when
 * complete; {@link LiveYaml} emits what is certain before. They end with the call's closing tag; in a block scalar, which
 * is indented deeper than the keys, the tag is text.
 */
export class YamlReader {
  failure = "";
  tooDeep = false;
  readonly isBetweenValues = false;
  /** The failure contains its own location. */
  readonly hasPlace = true;
  private readonly raw = new TextBuffer();
  private readonly live: LiveYaml;
  /** Whether the current line contains only indentation so far. */
  private isBlank = false;
  private lineIndent: number;
  /** The indentation of the first key. */
  private readonly indent: number;
  /** Whether the arguments are on the tag's own line only. */
  private isInline: boolean;

  constructor(private readonly call: YamlCall) {
    const { emitter, plan, gap } = call;
    this.indent = /[ ]*$/.exec(gap)![0].length;
    this.lineIndent = this.indent;
    this.isInline = !gap.includes("\n");
    this.live = new LiveYaml(emitter, plan, this.indent);
    this.store(" ".repeat(this.indent));
  }

  read(input: Input): Status {
    for (;;) {
      const { text, pos } = input;
      const at = text.indexOf("<", pos);
      this.take(input, at < 0 ? text.length : at);
      if (at < 0) return "more";
      const look = new Lookahead(input);
      const ends = this.endsAt(look, at);
      if (look.hitEnd) return "more";
      if (ends) return this.close(/^<\/?[^\s<>]*/.exec(text.slice(at, at + LOOKAHEAD))![0]);
      this.take(input, at + 1);
    }
  }

  private take(input: Input, to: number): void {
    const piece = input.text.slice(input.pos, to);
    input.pos = to;
    this.store(piece);
    const line = piece.lastIndexOf("\n") + 1;
    if (line > 0) {
      this.lineIndent = 0;
      this.isBlank = true;
      this.isInline = false;
    }
    if (!this.isBlank) return;
    let i = line;
    while (i < piece.length && piece.charAt(i) === " ") i++;
    this.lineIndent += i - line;
    this.isBlank = i === piece.length;
  }

  private store(piece: string): void {
    this.raw.push(piece);
    this.live.push(piece);
  }

  /** Whether the arguments end before this `<`. */
  private endsAt(look: Lookahead, at: number): boolean {
    const { text } = look;
    const next = look.charAt(at + 1);
    if (next === "") return false;
    const isOutside = this.lineIndent <= this.indent;
    // A mapping has no such line: the closing tag is missing, or is another one.
    const isOther = isOutside && this.isBlank && /[\p{L}_/]/u.test(next);
    if (next !== "/") return isOther;
    for (const closer of this.call.closers) {
      const end = closingTagEnd(look, at, closer.slice(2, -1));
      if (look.hitEnd) return false;
      if (end === false) continue;
      let i = end;
      while (i - end < LOOKAHEAD && /[ \t\r]/.test(text.charAt(i))) i++;
      if (i >= text.length) return (isOutside && this.isBlank) || look.endsAt(i);
      if (isOutside) return this.isInline || this.isBlank || /[\n<]/.test(text.charAt(i));
      // A block scalar ends with its lines; only a marker at the end of the reply must be the call's.
      if (!/\s/.test(text.charAt(i))) return false;
      while (i - end < LOOKAHEAD && /\s/.test(text.charAt(i))) i++;
      return look.endsAt(i);
    }
    return isOther;
  }

  /** Closes the arguments. `tag`: the beginning of the tag before which they end. */
  private close(tag: string): Status {
    const { call } = this;
    const { closers, plan } = call;
    const raw = this.raw.toString();
    const read = readYaml(raw, plan);
    const text = "reason" in read ? afterComments(raw, plan) : undefined;
    if (text && this.live.complete(text)) return "done";
    if ("reason" in read) {
      this.failure = read.reason;
      this.tooDeep = read.tooDeep ?? false;
      return "fail";
    }
    if (read.rejection !== undefined) call.rejected(read.rejection);
    if (
      plan.properties.size === 1 &&
      loneArgument(plan) !== undefined &&
      Object.keys(read.value).length === 0 &&
      raw.trim().startsWith("#")
    )
      call.rejected("a comment stands in place of the arguments");
    const inside = call.emitter.unwrapped(read.value);
    if (!this.live.complete(inside ?? read.value)) call.rejected("its lines contradict each other");
    for (const code of read.repairs) call.repaired(code);
    if (inside) call.repaired("wrapped-arguments");
    const isOther = !closers.some((closer) => closer.toLowerCase().startsWith(tag.toLowerCase()));
    if (isOther && mayContainMore(raw, tag, call.opensCalls))
      call.rejected("its closing tag is missing, and a value may hold what follows the call");
    if (this.holdsElements(read.value)) call.rejected("arguments stand in elements within YAML");
    const odd = oddKey(read.value, plan, (key) => !PLAIN_NAME.test(key));
    if (odd !== undefined) call.rejected(`${JSON.stringify(odd)} is not an argument`);
    return "done";
  }

  /** Whether the value of a key that the schema lacks contains the tags of arguments. */
  private holdsElements(value: unknown): boolean {
    const { properties } = this.call.plan;
    return Object.entries(value ?? {}).some(
      ([key, part]) =>
        !properties.has(key) &&
        typeof part === "string" &&
        [...part.matchAll(/<([\w:.-]{1,64})>/g)].some(([, tag]) => properties.has(tag!)),
    );
  }
}

/**
 * Lines of comments and the text after them, as in a script, as the tool's one string; undefined if they may be something
 * else.
 */
function afterComments(raw: string, plan: Plan): Record<string, unknown> | undefined {
  const written = raw.trim();
  const code = written.slice(commentsEnd(written));
  const [key] = code === written ? [] : Object.keys(textArgument(code, plan) ?? {});
  return key === undefined || mayContainArguments(written, [...plan.properties.keys()])
    ? undefined
    : { [key]: written };
}

/** The index after the lines at the beginning of a text that are empty or comments. */
function commentsEnd(text: string): number {
  const line = /[^\S\n]*(?:#.*)?\n/y;
  let end = 0;
  while (line.test(text)) end = line.lastIndex;
  return end;
}

/**
 * Whether arguments before a tag may contain a part of the closing tag, or the opener of another call that it closes.
 */
function mayContainMore(raw: string, tag: string, opensCalls: (name: string) => boolean): boolean {
  if (raw.trimEnd().endsWith(">") || (tag.startsWith("</") && raw.includes(`${tag.slice(2)}>`))) return true;
  return [...raw.matchAll(/<([^\s<>=/]{1,64})/g)].some(([, name]) => opensCalls(name!));
}
