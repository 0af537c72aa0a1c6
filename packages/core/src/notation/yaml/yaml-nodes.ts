import { type Alias, isAlias, isMap, isScalar, isSeq, type Scalar } from "yaml";
import { anyPlan, declares, type Plan, property } from "../../schema/plan.js";
import { MAX_DEPTH } from "../json/brackets.js";
import { dedented, isFilled } from "../lines.js";
import { keepsDigits } from "../numbers.js";
import { assign } from "../own-property.js";
import { isSame } from "../repeated-keys.js";

/** The limit of values: aliases repeat their target, so a few lines could exhaust the memory. */
export const MAX_NODES = 100_000;

type Node = unknown;

/** The beginning of a quoted text that is a path for its writer, and an escape for YAML. */
const DOUBTFUL_PATH = /^"[A-Za-z]:\\[abefnrtvxuNLPU]\w/;

/** Whether a document says nothing. */
export const isEmptyNode = (contents: Node) => contents === null || (isScalar(contents) && contents.value === null);

/** Converts the parsed nodes to plain data, by the schema at each place. */
export class NodeReader {
  private left = MAX_NODES;
  private depth = 0;
  /** A key that occurs twice in one mapping with different values. */
  repeated: string | undefined;
  /** Whether a key occurs twice in one mapping. */
  repeats = false;
  /** The key of an empty block before a comment, an undeclared key or a repeated one, which may be its text. */
  emptied: string | undefined;
  /** The key of a text in place of which, or before which, a comment begins: `# Title` may be the text. */
  commented: string | undefined;
  /** Whether a quoted text begins as a Windows path whose first backslash YAML reads as an escape (`"C:\temp"`). */
  hasDoubtfulPath = false;
  /** The key of the first empty block. */
  private emptyBlock: string | undefined;
  /** The anchors so far; the last one of a name wins. */
  private readonly anchors = new Map<string, Node>();

  constructor(
    private readonly text: string,
    /** The names of all aliases. */
    private readonly aliases: ReadonlySet<string>,
  ) {}

  /** Whether an alias could refer to a value. */
  get hasAnchors(): boolean {
    return this.anchors.size > 0;
  }

  get isOver(): boolean {
    return this.left < 0;
  }

  /** The value of a node. `null`: a key without a value. */
  value(node: Node | null, plan: Plan): unknown {
    if (node === null) return null;
    // A node that contains an alias to itself has no end.
    if (--this.left < 0 || this.depth > 2 * MAX_DEPTH) {
      this.left = -1;
      return null;
    }
    this.depth++;
    const value = this.read(node, plan);
    this.depth--;
    return value;
  }

  private read(node: Node, plan: Plan): unknown {
    if (isAlias(node)) return this.alias(node, plan);
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) this.anchors.set(anchor, node);
    if (isScalar(node)) return this.scalar(node, plan);
    const range = (node as { range?: [number, number, number] | null } | null)?.range;
    // Where only text is allowed, brackets are text.
    if (plan.onlyString && range && /[[{]/.test(this.text.charAt(range[0]))) {
      return this.text.slice(this.startOf(node as Marked), range[1]);
    }
    if (isSeq(node)) {
      const item = (i: number) => (plan.kind === "array" ? (plan.prefix[i] ?? plan.items) : anyPlan);
      return node.items.map((part, i) => this.lineText(part, item(i)) ?? this.value(part, item(i)));
    }
    if (!isMap(node)) return null;
    const object: Record<string, unknown> = {};
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? (key.source ?? String(key.value)) : String(this.value(key, anyPlan));
      const isRepeated = Object.hasOwn(object, name);
      this.repeats ||= isRepeated;
      if (isRepeated || !declares(plan, name)) this.emptied ??= this.emptyBlock;
      const part = property(plan, name)?.plan ?? anyPlan;
      const read = this.linesText(key, value, part) ?? this.value(value, part);
      if (part.onlyString && this.isCommented(key, value, read)) this.commented ??= name;
      if (isRepeated && !isSame(object[name], read)) this.repeated ??= name;
      assign(object, name, read);
      this.noteEmptyBlock(name, value);
    }
    return object;
  }

  /** The source of an item on one line that looks like a mapping (`- Fix: it`), where the schema allows only text. */
  private lineText(item: Node, plan: Plan): string | undefined {
    if (!plan.onlyString || !isMap(item) || item.flow || !item.range) return undefined;
    const text = this.text.slice(item.range[0], item.range[1]).trimEnd();
    return text.includes("\n") ? undefined : text;
  }

  /** Whether a comment comes between the colon and an unquoted text, which may be a part of it. */
  private isCommented(key: Node, value: Node, read: unknown): boolean {
    if (!isScalar(value) || value.type !== "PLAIN" || String(read).startsWith("#")) return false;
    return /^\s*:\s*#/.test(this.text.slice(isScalar(key) ? key.range?.[1] : undefined));
  }

  private noteEmptyBlock(key: string, node: Node): void {
    if (!isScalar(node) || !/^BLOCK/.test(node.type ?? "") || String(node.value).trim() !== "") return;
    this.emptyBlock ??= key;
    if (/^\s*#/.test(this.text.slice(node.range?.[1]))) this.emptied ??= key;
  }

  /**
   * The source of several lines without a mark below a key: lines that are not a scalar, where the schema allows only text, and
   * those that YAML would join with spaces, which models do not mean; in place of a list, each may be an item.
   */
  private linesText(key: Node, value: Node, plan: Plan): string | undefined {
    if (!plan.onlyString && plan.kind !== "array") return undefined;
    if (!isScalar(key) || !key.range || !(isScalar(value) || isMap(value) || isSeq(value)) || !value.range)
      return undefined;
    const [start, end] = value.range;
    const from = this.text.indexOf(":", key.range[1]) + 1;
    const isJoined =
      isScalar(value) &&
      value.type === "PLAIN" &&
      this.text.slice(from, start).includes("\n") &&
      this.text.slice(start, end).trim().includes("\n");
    const isBlock = !isScalar(value) && plan.onlyString && !value.flow;
    return isBlock || isJoined ? linesOf(this.text.slice(from, end)) : undefined;
  }

  private alias(node: Alias, plan: Plan): unknown {
    const named = this.anchors.get(node.source);
    // An alias without a target is text that begins with `*`.
    return named === undefined ? `*${node.source}` : this.value(named, plan);
  }

  private scalar(node: Scalar, plan: Plan): unknown {
    const { value, range } = node;
    if (node.type !== "PLAIN") {
      const from = this.startOf(node);
      if (range && from < range[0]) return linesOf(this.text.slice(from, range[1]));
      this.hasDoubtfulPath ||= DOUBTFUL_PATH.test(this.text.slice(from, from + 6));
      return typeof value === "string" ? value : (node.source ?? "");
    }
    const text = this.plainText(node);
    if (isUnknownTag(node)) return text;
    if (typeof value === "number" && !keepsDigits(value, text)) return text;
    if (value === null) return plan.onlyString ? (/^(?:~|null)$/i.test(text) ? null : text) : null;
    if (plan.onlyString) return text;
    if (plan.types?.includes("boolean") && !plan.types.includes("string")) {
      if (/^(?:yes|on)$/i.test(text)) return true;
      if (/^(?:no|off)$/i.test(text)) return false;
    }
    const { enum: allowed } = typeof plan.schema === "object" ? plan.schema : {};
    if (Array.isArray(allowed)) return allowed.includes(value) ? value : text;
    const type = typeof value === "number" ? ["number", "integer"] : [typeof value];
    const hasType = !plan.types || plan.types.some((name) => type.includes(name));
    // Adding 0 turns -0 into 0, because JSON writers do not keep -0.
    return !hasType || typeof value === "bigint" ? text : typeof value === "number" ? value + 0 : value;
  }

  /** The text of an unquoted scalar. A `#` before a letter or digit begins a tag or a colour, not a comment. */
  private plainText(node: Scalar): string {
    const [start = 0, , end = 0] = node.range ?? [];
    const from = this.startOf(node);
    const text = this.text.slice(from, start).replace(/\s*\n\s*/g, " ") + (node.source ?? "");
    const line = this.text.slice(from, end).split("\n", 1)[0] ?? "";
    return /(?:^|[ \t])#[\p{L}\p{N}]/u.test(line) && line.startsWith(text) ? line.trim() : text.trim();
  }

  /** Where a value begins. A tag that is not YAML's own is text, and so is an anchor that no alias names. */
  private startOf(node: Marked): number {
    const [start = 0] = node.range ?? [];
    let from = start;
    if (isUnknownTag(node)) {
      const mark = this.text.lastIndexOf("!", start - 1);
      // A tag with a handle has two marks: `!handle!name`, or `!!name`.
      let before = mark - 1;
      while (/[\w-]/.test(this.text.charAt(before))) before--;
      from = this.text.charAt(before) === "!" ? before : mark;
    }
    if (node.anchor === undefined || this.aliases.has(node.anchor)) return from;
    return Math.min(from, this.text.lastIndexOf(`&${node.anchor}`, start - 1));
  }
}

/** The lines of a value as they are written, without the indentation that all after the first have. */
function linesOf(text: string): string {
  const [first = "", ...lines] = text.split("\n");
  return [...(isFilled(first) ? [first.trim()] : []), dedented(lines)].join("\n").trimEnd();
}

/** The parts of a node with a tag or an anchor. */
type Marked = Pick<Scalar, "range" | "tag" | "anchor">;

const isUnknownTag = ({ tag }: Marked) =>
  tag !== undefined && !/^tag:yaml\.org,2002:(?:str|int|float|bool|null|seq|map)$/.test(tag);
