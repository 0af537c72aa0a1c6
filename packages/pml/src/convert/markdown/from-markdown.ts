import { converted, isObject, messageOf } from "@toolingua/core/adapters";
import type { Converted } from "@toolingua/core/providers";
import { PmlTreeError } from "../../errors.js";
import { checkTree } from "../../schema/check-tree.js";
import type { PmlDocument } from "../../tree.js";
import { type Block, without } from "./to-markdown.js";

/**
 * Reads a document that `toMarkdown` wrote, including edits by people in its texts and code blocks. Text between the
 * blocks is for people, and is ignored.
 *
 * Errors: `PmlTreeError` `bad-format`, with the line.
 *
 * @example fromMarkdown(toMarkdown(document)).value; // the same document
 */
export function fromMarkdown(markdown: string): Converted<PmlDocument> {
  if (typeof markdown !== "string") {
    const given = markdown === null ? "null" : `a value of the type ${typeof markdown}`;
    throw new PmlTreeError("bad-format", "", `expected the Markdown of a document, a string, not ${given}.`);
  }
  return converted(() => new MarkdownReader(markdown).read());
}

class MarkdownReader {
  private readonly lines: string[];
  private at = 0;
  /** The line of the current block's comment, from 1. */
  private line = 0;
  private readonly document: Record<string, unknown> = {};
  // The lists to which blocks are added.
  private readonly memory: unknown[] = [];
  private readonly tools: unknown[] = [];
  private readonly turns: unknown[] = [];
  private messages: unknown[] | undefined;
  private parts: unknown[] | undefined;
  private attachments: unknown[] = [];
  /** The number of following attachments that belong to an output. */
  private expected = 0;

  constructor(markdown: string) {
    this.lines = markdown.replace(/\r\n?/g, "\n").split("\n");
  }

  read(): PmlDocument {
    for (let block = this.next(); block; block = this.next()) this.block(block);
    const { document } = this;
    if (document.version === undefined) {
      throw new PmlTreeError("bad-format", "", "expected what toMarkdown wrote, which begins with <!-- pml document.");
    }
    checkTree(document, "bad-format");
    return document;
  }

  private block([kind, fields]: Block): void {
    const { document } = this;
    switch (kind) {
      case "heading":
        return;
      case "document":
        document.version = fields.version;
        if (fields.memory) document.memory = this.memory;
        if (isObject(fields.tools)) document.tools = { ...fields.tools, list: this.tools };
        return;
      case "memory-item":
        this.needs(document.memory, kind, 'document {"version":"1","memory":true}');
        this.memory.push({ ...without(fields, "fenced"), text: this.leaf(fields) });
        return;
      case "tool": {
        this.needs(document.tools, kind, 'document {"version":"1","tools":{}}');
        const schema = this.isFence() ? { parameters: this.json(this.fence()) } : {};
        this.tools.push({ ...fields, ...schema });
        return;
      }
      case "conversation":
        document.conversation = { ...fields, turns: this.turns };
        return;
      case "turn":
        this.needs(document.conversation, kind, "conversation {}");
        this.messages = [];
        this.parts = undefined;
        this.turns.push({ ...fields, messages: this.messages });
        return;
      case "system":
      case "user":
      case "assistant":
        this.parts = [];
        this.needs(this.messages, kind, "turn {}").push({ type: kind, ...fields, parts: this.parts });
        return;
      case "end":
        this.parts = undefined;
        return;
      default:
        this.part(kind, fields);
    }
  }

  private part(kind: string, fields: Record<string, unknown>): void {
    const add = (node: object) =>
      this.needs(this.parts ?? this.messages, kind, "turn {}").push({ type: kind, ...node });
    switch (kind) {
      case "text":
      case "thinking":
        add({ ...without(fields, "fenced"), text: this.leaf(fields) });
        return;
      case "call":
        add({ ...fields, arguments: this.json(this.fence()) });
        return;
      case "edit":
        add({ ...fields, text: this.fence() });
        return;
      case "tool_output": {
        this.expected = Number(fields.attachments ?? 0);
        this.attachments = [];
        const attachments = this.expected > 0 ? { attachments: this.attachments } : {};
        add({ ...without(fields, "attachments"), text: this.fence(), ...attachments });
        return;
      }
      case "attachment": {
        const content = fields.content ? { content: this.fence() } : {};
        const node = { ...without(fields, "content"), ...content };
        if (this.expected-- > 0) this.attachments.push({ type: kind, ...node });
        else add(node);
        return;
      }
      default:
        throw this.wrong(`unknown block kind ${JSON.stringify(kind)}`);
    }
  }

  /** The next block. Skips the text before it, which is for people. */
  private next(): Block | undefined {
    for (; this.at < this.lines.length; this.at++) {
      const [, kind, json] = COMMENT.exec(this.lines[this.at] ?? "") ?? [];
      if (kind === undefined || json === undefined) continue;
      this.line = ++this.at;
      const fields = this.json(json);
      if (isObject(fields)) return [kind, fields];
      throw this.wrong("a block needs its fields as a JSON object");
    }
    return undefined;
  }

  private leaf(fields: Record<string, unknown>): string {
    if (fields.fenced) return this.fence();
    const from = this.at;
    while (this.at < this.lines.length && !COMMENT.test(this.lines[this.at] ?? "")) this.at++;
    return this.lines.slice(from, this.at).join("\n").trim();
  }

  private isFence(): boolean {
    let at = this.at;
    while (at < this.lines.length && !COMMENT.test(this.lines[at] ?? "") && !FENCE.test(this.lines[at] ?? "")) at++;
    return FENCE.test(this.lines[at] ?? "");
  }

  /** The next code block, before the next block of this format. */
  private fence(): string {
    if (!this.isFence()) throw this.wrong("expected a code block");
    while (!FENCE.test(this.lines[this.at] ?? "")) this.at++;
    const [, fence = "", language] = FENCE.exec(this.lines[this.at] ?? "") ?? [];
    const from = ++this.at;
    while (this.at < this.lines.length && this.lines[this.at] !== fence) this.at++;
    if (this.at >= this.lines.length) throw this.wrong(`the code block needs its end: ${fence}`);
    const text = this.lines.slice(from, this.at++).join("\n");
    const value = language === "json-string" ? this.json(text) : text;
    if (typeof value !== "string") throw this.wrong("a json-string must be a string");
    return value;
  }

  private json(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.wrong(`invalid JSON: ${messageOf(error)}`);
    }
  }

  /** What a block stands in. People who edit a file may have deleted the comment that begins it. */
  private needs<Outer>(outer: Outer | undefined, kind: string, comment: string): Outer {
    if (outer !== undefined) return outer;
    throw this.wrong(`"${kind}" must follow the comment <!-- pml ${comment} -->`, this.line);
  }

  private wrong(message: string, line = Math.min(this.at + 1, this.lines.length)): PmlTreeError {
    return new PmlTreeError("bad-format", "", `line ${line}: ${message}.`);
  }
}

const COMMENT = /^<!-- pml ([a-z_-]+) ([^\n]*) -->$/;
const FENCE = /^(`{3,})([a-z-]*)$/;
