import { checkTree } from "../../schema/check-tree.js";
import type { PmlAttachment, PmlDocument, PmlMessage, PmlPart, PmlToolOutput } from "../../tree.js";

/** The comment of a block: the node without the fields that are written as text below it. */
export type Block = [kind: string, fields: Record<string, unknown>];

/**
 * Converts a document to Markdown for people: headings for turns and speakers, code blocks for contents. Comments,
 * which are invisible on a page, contain the rest, so that `fromMarkdown` reads the same document. Nothing is lost.
 *
 * Errors: `PmlTreeError` `bad-tree`.
 *
 * @example toMarkdown(document); // <!-- pml document {"version":"1"} -->\n…
 */
export function toMarkdown(document: PmlDocument): string {
  checkTree(document);
  return new MarkdownWriter().write(document);
}

class MarkdownWriter {
  private readonly lines: string[] = [];

  write({ version, memory, tools, conversation }: PmlDocument): string {
    this.block([
      "document",
      { version, ...(memory && { memory: true }), ...(tools && { tools: without(tools, "list") }) },
    ]);
    if (memory) this.heading("# Memory");
    for (const item of memory ?? []) this.leaf(["memory-item", without(item, "text")], item.text);
    if (tools) this.heading("# Tools");
    for (const { parameters, ...tool } of tools?.list ?? []) {
      this.block(["tool", tool]);
      this.lines.push(`- **${plain(tool.name)}**${tool.description ? `: ${plain(tool.description)}` : ""}`, "");
      if (parameters !== undefined) this.fenced("json", JSON.stringify(parameters, undefined, 2));
    }
    if (!conversation) return this.text();
    this.block(["conversation", without(conversation, "turns")]);
    this.lines.push(`# ${plain(conversation.topic ?? "Conversation")}`, "");
    conversation.turns.forEach((turn, i) => {
      this.block(["turn", without(turn, "messages")]);
      this.lines.push(`## Turn ${turn.index ?? i + 1}`, "");
      for (const node of turn.messages) this.node(node);
    });
    return this.text();
  }

  private node(node: PmlMessage | PmlToolOutput): void {
    if (node.type === "tool_output") return this.part(node);
    this.block([node.type, without(without(node, "parts"), "type")]);
    this.lines.push(`### ${SPEAKERS[node.type]}${node.name ? ` (${plain(node.name)})` : ""}`, "");
    for (const part of node.parts) this.part(part);
    // The following nodes of the turn are not part of this message.
    this.block(["end", {}]);
  }

  private part(part: PmlPart): void {
    const { type, ...fields } = part;
    switch (part.type) {
      case "text":
        this.leaf(["text", {}], part.text);
        return;
      case "thinking":
        this.heading("_Thinking:_");
        this.leaf(["thinking", without(without(part, "text"), "type")], part.text);
        return;
      case "call": {
        this.block(["call", without(without(part, "arguments"), "type")]);
        this.lines.push(`Calls \`${plain(part.name)}\`:`, "");
        this.fenced("json", JSON.stringify(part.arguments, undefined, 2));
        return;
      }
      case "tool_output": {
        this.block([
          type,
          { ...without(without(without(part, "attachments"), "text"), "type"), attachments: part.attachments?.length },
        ]);
        this.lines.push(`${part.status ? "Error" : "Result"} of ${plain(part.name ?? part.call ?? "a call")}:`, "");
        this.fenced("", part.text);
        for (const one of part.attachments ?? []) this.attachment(one);
        return;
      }
      case "attachment":
        this.attachment(part);
        return;
      case "edit":
        this.block([type, without(fields, "text")]);
        this.lines.push(`Edit of **${plain(part.file)}**:`, "");
        this.fenced("diff", part.text);
    }
  }

  private attachment(part: PmlAttachment): void {
    const { type, content, ...fields } = part;
    this.block([type, { ...fields, content: content !== undefined }]);
    this.lines.push(`**${plain(part.path ?? part.name ?? part.url ?? part.kind)}** (${plain(part.kind)})`, "");
    if (content !== undefined) this.fenced("", content);
  }

  /** A line for people, which is not part of the text before it. */
  private heading(line: string): void {
    this.block(["heading", {}]);
    this.lines.push(line, "");
  }

  private block([kind, fields]: Block): void {
    const json = JSON.stringify(fields).replace(/[<>]/g, (char) => (char === "<" ? "\\u003c" : "\\u003e"));
    this.lines.push(`<!-- pml ${kind} ${json} -->`, "");
  }

  /** Writes text unchanged. Marks lines that look like this format's own, and line ends other than \n. */
  private leaf([kind, fields]: Block, text: string): void {
    const isPlain = !/\r|^<!-- pml /m.test(text) && text === text.trim() && text !== "";
    this.block([kind, { ...fields, ...(!isPlain && { fenced: true }) }]);
    if (isPlain) this.lines.push(text, "");
    else this.fenced("", text);
  }

  /**
   * Writes a code block whose fence is longer than any in the text. Its info string records carriage returns, since
   * files lose them.
   */
  private fenced(language: string, text: string): void {
    const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
    const fence = "`".repeat(longest + 1);
    const isJson = text.includes("\r");
    this.lines.push(`${fence}${isJson ? "json-string" : language}`, isJson ? JSON.stringify(text) : text, fence, "");
  }

  private text(): string {
    return `${this.lines.join("\n").trimEnd()}\n`;
  }
}

const SPEAKERS = { system: "System", user: "User", assistant: "Assistant" };

/** A name in a line of Markdown. */
const plain = (text: string): string => text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>#]/g, "\\$&");

/** The object without one of its keys. */
export function without(object: object, key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
