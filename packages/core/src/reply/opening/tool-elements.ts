import { distance } from "fastest-levenshtein";
import { oncePerPair } from "../../common/once-per.js";
import { isIndent, LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { readTag, type Tag } from "../../notation/markup/markup.js";
import { declares, type Plan, takesNothing } from "../../schema/plan.js";
import { planOfTool } from "../../schema/tool-plan.js";
import { type Form, isBodyOf } from "../../syntax/syntax.js";
import { ARGUMENT_KEYS } from "../arguments/call-keys.js";
import { loneArgument } from "../arguments/lone-text.js";
import type { ToolTable } from "../arguments/tool-table.js";
import { compileForms, type FormNode } from "../forms/forms.js";
import type { Opening, ToolElementSearch } from "../forms/opening.js";

/** The number of characters by which a misspelled tool name may be longer. */
const SLACK = 16;

const NAME = /[\p{L}\p{N}_.:-]+/uy;
const KEY = /["']?([\p{L}_][\p{L}\p{N}_.-]{0,63})["']?[ \t]*:(?=\s)/uy;

/** A closing tag, or the beginning of one, and the name of an element around one call. */
const CLOSING_TAG = /^<\/\s*\|?([\p{L}\p{N}_.:-]*)\|?\s*(>?)/u;
const CALL_ELEMENT = /^(?:\w+:)?(?:tool|function|(?:tool|function)[_-]?(?:call|use|calls)|call|invoke|action)$/i;

/** The tag of an argument that names it as other formats do. */
const NAMED_ARGUMENT = /^<(?:\w+:)?(?:param|arg)\w*(?:\s+name)?\s*=\s*["']?\s*([^\s<>"'/]+)/i;

/** Whether a tag may be around all arguments. One word for them is also an element of HTML: `<search><input>`. */
const isWrapper = (tag: string) => ARGUMENT_KEYS.has(tag) && tag.toLowerCase() !== "input";

/** How the tool is named: in a tag, one with the arguments, one without an end, or without a tag. */
type Tagged = "" | "attributes" | "unclosed" | "untagged";

/** The forms of such calls. `own`: the requested protocol writes them. */
interface Wanted {
  forms: readonly Form[];
  own: boolean;
}

/**
 * Finds calls that are elements named after the tools, `<read_file><path>…`. A tool's name may be common in text and
 * HTML (`search`, `code`), so the tag alone is weak evidence: the text after it must match the next part of a call.
 */
export class ToolElements implements ToolElementSearch {
  private nodes: Map<string, FormNode> | undefined;
  private readonly longest: number;
  readonly anywhere: boolean;

  private constructor(
    private readonly forms: readonly Form[],
    private readonly tools: ToolTable,
    /** Whether the requested protocol writes such calls. */
    private readonly own: boolean,
  ) {
    this.anywhere = own && tools.areKnown;
    this.longest = tools.areKnown ? Math.max(0, ...tools.list.map(({ name }) => name.length)) + SLACK : LOOKAHEAD;
  }

  private static readonly made = oncePerPair(
    ({ forms, own }: Wanted, tools: ToolTable) => new ToolElements(forms, tools, own),
  );

  /**
   * The search for these tools, cached per set of tools. Undefined if there is nothing to find: without known tools,
   * only the requested protocol counts.
   */
  static of(wanted: Wanted, tools: ToolTable): ToolElements | undefined {
    const { forms, own } = wanted;
    if (forms.length === 0) return undefined;
    if (!tools.areKnown) return own ? new ToolElements(forms, tools, own) : undefined;
    return ToolElements.made(wanted, tools);
  }

  at(look: Lookahead, index: number, place?: "claimed" | "line"): Opening | undefined {
    const claimed = place === "claimed";
    const { text } = look;
    if (text.charAt(index) !== "<") return undefined;
    if (/[\s<>/!&]/.test(text.charAt(index + 1))) return undefined;
    NAME.lastIndex = 0;
    const written = NAME.exec(text.slice(index + 1, index + this.longest + 2))?.[0] ?? "";
    if (written.length > this.longest) return undefined;
    const end = index + 1 + written.length;
    if (look.endsAt(end)) return undefined;
    if (claimed && this.tools.areKnown && !this.tools.has(written)) return undefined;
    const meant = this.tools.resolve(written);
    if (!meant) return undefined;
    const plan = planOfTool(meant.tool);
    const inTag = new Lookahead({ text, final: look.isWhole });
    const tag = readTag(inTag, index);
    if (inTag.hitEnd) look.atEnd();
    if (tag === undefined && !claimed && !inTag.isCut) return this.unclosedTag(look, end, written, meant.name, plan);
    if (tag?.name !== written) return undefined;
    if ([...tag.attributes.keys()].some((key) => !isKnown(plan, key))) return undefined;
    const isOwn = this.own && !claimed;
    const mayBeText = isOwn && place === "line" && !/[ \t]/.test(text.charAt(tag.end));
    const takesText = mayBeText && loneArgument(plan, [...tag.attributes.keys()]) !== undefined;
    return tag.selfClosing || this.contentsFollow(look, tag.end, written, plan, isOwn, takesText)
      ? this.call(tag.attributes.size > 0 ? "attributes" : "", written, meant.name)
      : undefined;
  }

  /** The call whose tag has no end, but contains an argument. */
  private unclosedTag(look: Lookahead, end: number, written: string, name: string, plan: Plan): Opening | undefined {
    const { text } = look;
    const next = spaceEnd(text, end);
    if (next === end || next - end > LOOKAHEAD || text.charAt(next) !== "<") return undefined;
    const child = shortTag(look, next);
    if (child === undefined || child === "long" || !declares(plan, child.name)) return undefined;
    return this.call("unclosed", written, name);
  }

  /**
   * The forms with elements as arguments, without the end of the tag that names the tool, or without any of its
   * characters.
   */
  private childForms(name: string, ...before: Form["call"]): Form[] {
    return this.forms.flatMap(({ call: [, , , body] }): Form[] =>
      isBodyOf(body, "elements") ? [{ call: [...before, { slot: "name" }, body, `</${name}>`] }] : [],
    );
  }

  closerAt(look: Lookahead, index: number): Opening | undefined {
    if (!look.text.startsWith("</", index)) return undefined;
    const closed = look.find(this.tools.list, ({ name }) => look.has(`</${name}>`, index));
    return closed && { marker: `</${closed.name}>`, opens: "nothing", where: "after-call" };
  }

  atLine(look: Lookahead, index: number): Opening | undefined {
    const { text } = look;
    const start = lineStart(text, index);
    NAME.lastIndex = start;
    const name = NAME.exec(text.slice(0, start + this.longest + 1))?.[0] ?? "";
    if (start - index + name.length > this.longest) return undefined;
    const end = start + name.length;
    if (look.endsAt(end)) return undefined;
    const tool = name === "" ? undefined : this.tools.get(name);
    if (!tool) return undefined;
    const next = look.next(end);
    if (next === undefined || text.charAt(next) !== "<" || !text.slice(end, next).includes("\n")) return undefined;
    const tag = shortTag(look, next);
    if (tag === "long") return undefined;
    const plan = planOfTool(tool);
    if (!tag || !declares(plan, tag.name)) return undefined;
    return this.call("untagged", name, name);
  }

  /** Whether the text after the tag can be the contents of a call. */
  private contentsFollow(
    look: Lookahead,
    from: number,
    written: string,
    plan: Plan,
    own: boolean,
    takesText: boolean,
  ): boolean {
    const { text } = look;
    const at = spaceEnd(text, from);
    if (at - from > LOOKAHEAD) return own;
    if (look.endsAt(at)) return false;
    const char = text.charAt(at);
    if (char === "{") return true;
    if (char === "<") return this.markupGoesOn(look, at, written, plan, own);
    KEY.lastIndex = at;
    const [whole, key = ""] = KEY.exec(text.slice(0, at + LOOKAHEAD)) ?? [];
    if (whole !== undefined) return own || this.takes(plan, key);
    const line = /[^\s:<]{0,64}[ \t]*:?$/uy;
    line.lastIndex = at;
    if (text.length - at < LOOKAHEAD && line.test(text)) {
      look.atEnd();
      return false;
    }
    // In its own protocol, a tag on its own line is a call, whatever errors it contains.
    return takesText || (own && /\n/.test(text.slice(from, at)));
  }

  /** Whether the tool takes this argument; in the requested format also if its schema says nothing about arguments. */
  private takes(plan: Plan, key: string): boolean {
    const isOpen = plan.properties.size === 0 && plan.additional !== false && !takesNothing(plan);
    return isKnown(plan, key) || (this.own && isOpen);
  }

  private markupGoesOn(look: Lookahead, at: number, written: string, plan: Plan, own: boolean): boolean {
    const next = look.charAt(at + 1);
    if (next === "") return false;
    if (next === "/") return closesTag(look, at, written) || (own && this.closesCall(look, at, written, plan));
    if (next === "!") return own;
    // YAML's merge key, which is no argument: the call is invalid.
    if (next === "<") return own && look.charAt(at + 2) === ":";
    const tag = shortTag(look, at);
    if (tag === "long") return own;
    if (tag === undefined) return false;
    const [, key = tag.name] = NAMED_ARGUMENT.exec(look.text.slice(at, at + tag.end)) ?? [];
    if (own || (this.own ? this.takes(plan, key) : declares(plan, key))) return true;
    if (!isWrapper(tag.name)) return false;
    const content = look.next(at + tag.end);
    return content !== undefined && /[{<]/.test(look.text.charAt(content));
  }

  /**
   * Whether a closing tag of another name may close the call: one that names the tool in another spelling, a call or its
   * arguments, or any before the tool's own closing tag. At the end of the reply it may be cut off.
   */
  private closesCall(look: Lookahead, at: number, written: string, plan: Plan): boolean {
    const window = look.text.slice(at, at + this.longest + SLACK);
    const [whole = "", name = "", end] = CLOSING_TAG.exec(window) ?? [];
    const isCut = end === "" && at + whole.length === look.text.length;
    if (isCut) look.atEnd();
    if (isCut && look.isWhole && written.startsWith(name)) return true;
    if (CALL_ELEMENT.test(name) || isWrapper(name)) return true;
    const named = this.tools.areKnown && this.tools.resolve(name);
    if (named) return named.name === this.tools.resolve(written)?.name;
    if (isMisspelt(name, written) || (declares(plan, name) && isClosedLater(look, at, written))) return true;
    const next = spaceEnd(look.text, at + whole.length);
    return end === ">" && next - at - whole.length < LOOKAHEAD && closesTag(look, next, written);
  }

  /** The opening of a call that names the tool `name`, as `written`. */
  private call(tag: Tagged, written: string, name: string): Opening {
    const isTag = tag !== "untagged";
    const marker = isTag ? `<${written}` : written;
    return { marker, isTag, isWord: !isTag, line: false, opens: "call", node: this.node(tag, written, name) };
  }

  private node(tag: Tagged, written: string, name: string): FormNode {
    const key = `${tag} ${written}`;
    const node = this.nodes?.get(key) ?? this.compiled(tag, written);
    // There are few names of tools, but many spellings.
    if (written === name) {
      this.nodes ??= new Map();
      this.nodes.set(key, node);
    }
    return node;
  }

  private compiled(tag: Tagged, name: string): FormNode {
    if (tag === "") return compileForms(this.forms, name);
    if (tag === "attributes") return compileForms([{ call: [{ body: "attributes", tag: name, name: "" }] }]);
    // The space prevents this from being read as a tag that names a tool.
    return compileForms(tag === "unclosed" ? this.childForms(name, "< ") : this.childForms(name));
  }
}

/** The tag at an index. `"long"`: it is longer than `LOOKAHEAD`, even if all of it was received. */
function shortTag(look: Lookahead, at: number): Tag | "long" | undefined {
  const window = look.text.slice(at, at + LOOKAHEAD + 1);
  const inTag = new Lookahead({ text: window, final: false });
  const tag = readTag(inTag, 0);
  if (!inTag.hitEnd) return tag;
  if (window.length > LOOKAHEAD) return "long";
  look.atEnd();
  return undefined;
}

function lineStart(text: string, from: number): number {
  let at = from;
  while (isIndent(text.charCodeAt(at))) at++;
  return at;
}

/** Whether the tool has this parameter; a tool that declares none accepts all. */
const isKnown = (plan: Plan, key: string) => (plan.properties.size === 0 ? plan.schema === true : declares(plan, key));

/** Whether a name is another one with a few wrong letters. */
const isMisspelt = (name: string, meant: string) =>
  Math.abs(name.length - meant.length) < SLACK && distance(name.toLowerCase(), meant.toLowerCase()) * 4 <= meant.length;

/** Whether an element's own closing tag comes soon after an index. */
function isClosedLater(look: Lookahead, at: number, name: string): boolean {
  const isClosed = look.text.slice(at, at + LOOKAHEAD).includes(`</${name}>`);
  if (!isClosed) look.endsAt(at + LOOKAHEAD - 1);
  return isClosed;
}

function closesTag(look: Lookahead, at: number, name: string): boolean {
  const wanted = `</${name}>`;
  const found = look.text
    .slice(at, at + wanted.length + LOOKAHEAD)
    .replace(/\s+/g, "")
    .toLowerCase();
  if (found.startsWith(wanted.toLowerCase())) return true;
  if (wanted.toLowerCase().startsWith(found)) look.endsAt(at + wanted.length + LOOKAHEAD - 1);
  return false;
}
