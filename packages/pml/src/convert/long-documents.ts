import type { PmlAttachment, PmlCall, PmlEdit, PmlToolOutput } from "../tree.js";
import { nodeElement } from "../write/elements.js";
import { inPrompt, unchanged } from "../write/prompt-xml.js";
import { writeElement } from "../write/stringify-pml.js";
import { escapedText } from "../write/xml-text.js";

/**
 * Writes an attachment or an edit in the common prompt format for long documents: `<document>` with `<source>` and
 * `<document_content>` (https://docs.claude.com/en/docs/build-with-claude/prompt-engineering/long-context-tips). The
 * content is unchanged, except that tags in it that could end it, of a document and its content, are escaped.
 */
export function documentText(part: PmlAttachment | PmlEdit | PmlCall | PmlToolOutput): string {
  if (part.type === "edit") return framed(part.file, "edit", part.text);
  if (part.type !== "attachment") return writeElement(nodeElement(part), inPrompt(unchanged)).trimEnd();
  const { kind, name, path, url, content, encoding, omitted, attributes = {} } = part;
  const source = path ?? url ?? name ?? kind;
  const others = Object.entries({ ...(name !== source && { name }), ...attributes }).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${value}`],
  );
  const about = [kind === "file" ? [] : [kind], others].flat().join(", ");
  const hidden = omitted || encoding !== undefined ? "(left out)" : (content ?? "");
  return framed(source, about, hidden);
}

function framed(source: string, about: string, content: string): string {
  const kind = about === "" ? "" : `\n<type>${escapedText(about)}</type>`;
  const safe = content.replace(FRAME, "&lt;$1");
  return `<document>\n<source>${escapedText(source)}</source>${kind}\n<document_content>\n${safe}\n</document_content>\n</document>`;
}

/** Matches a tag of this format, as a model could read it: in any case, with spaces in it. */
const FRAME = /<([\s/]*(?:document|document_content)(?![\w-]))/gi;
