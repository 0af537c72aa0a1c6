import { aString, checkOptions, type OptionRules } from "@toolingua/core/adapters";
import { base64In } from "../base64.js";
import { checkTree } from "../schema/check-tree.js";
import type { PmlAttachment, PmlDocument, PmlMessage, PmlPart, PmlToolOutput } from "../tree.js";
import { type Html, html } from "./html.js";
import { style } from "./style.js";

/** Options of {@link renderHtml}. */
export interface RenderHtmlOptions {
  /** Default: the topic, else "Conversation". */
  title?: string | undefined;
  /** The language of the page, as `lang`. Default `en`. */
  language?: string | undefined;
}

const rules: OptionRules<RenderHtmlOptions> = { title: aString, language: aString };

/**
 * Renders a document as a page to read: one file without scripts, which loads nothing and is readable without colours,
 * in dark mode and in print. Shows images contained in the document; images at a URL are links. Escapes all text.
 *
 * Errors: `PmlTreeError` `bad-tree`, `OptionsError`.
 *
 * @example await writeFile("session.html", renderHtml(document));
 */
export function renderHtml(document: PmlDocument, options: RenderHtmlOptions = {}): string {
  checkOptions(rules, options, "the options of renderHtml");
  checkTree(document);
  const { title, language = "en" } = options;
  const { memory, tools, conversation } = document;
  const heading = title ?? conversation?.topic ?? "Conversation";
  const turns = conversation?.turns ?? [];
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="referrer" content="no-referrer">
<title>${heading}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${heading}</h1>
<p>${aboutOf(document)}</p>
</header>
<main>
${
  memory?.length
    ? html`<section aria-labelledby="memory">
<h2 id="memory">Memory</h2>
<ul>
${memory.map((item) => html`<li class="${item.type}"><pre>${item.text}</pre></li>`)}
</ul>
</section>`
    : undefined
}
${
  tools?.list.length
    ? html`<section aria-labelledby="tools">
<h2 id="tools">Tools</h2>
${tools.list.map(({ name, description, parameters }) => folded(html`<code>${name}</code> ${description}`, json(parameters ?? {})))}
</section>`
    : undefined
}
${conversation?.omitted ? html`<p class="omitted">${counted(conversation.omitted, "turn")} left out</p>` : undefined}
${turns.map(
  (turn, i) => html`<section class="turn" aria-label="Turn ${turn.index ?? i + 1}">
<h2>${turn.index ?? i + 1}</h2>
${turn.messages.map(messageOf)}
</section>`,
)}
</main>
</body>
</html>
`;
  return page.markup;
}

function aboutOf({ memory, conversation }: PmlDocument): string {
  const turns = conversation?.turns ?? [];
  const nodes = turns.flatMap(({ messages }) => messages);
  const parts = nodes.flatMap((node) => (node.type === "tool_output" ? [node] : node.parts));
  const count = (type: string) => parts.filter((part) => part.type === type).length;
  const counts: [number, string][] = [
    [turns.length, "turn"],
    [count("attachment"), "attachment"],
    [count("call"), "call"],
    [memory?.length ?? 0, "thing remembered"],
  ];
  return counts.flatMap(([number, what]) => (number > 0 ? [counted(number, what)] : [])).join(" · ");
}

const counted = (number: number, what: string): string =>
  number === 1 ? `1 ${what}` : `${number} ${what.replace(/^\w+/, "$&s")}`;

function messageOf(node: PmlMessage | PmlToolOutput): Html {
  if (node.type === "tool_output") return partOf(node);
  const speaker = { system: "System", user: "User", assistant: "Assistant" }[node.type];
  return html`<article class="${node.type}">
<h3>${node.name ?? speaker}${node.name || node.role ? html` <small>${node.role ?? speaker}</small>` : undefined}</h3>
${node.parts.map(partOf)}
</article>`;
}

function partOf(part: PmlPart): Html {
  switch (part.type) {
    case "text":
      return html`<pre class="text">${part.text}</pre>`;
    case "thinking":
      return folded("Thinking", part.text, "thinking");
    case "attachment":
      return attachmentOf(part);
    case "call":
      return html`<div class="call"><p>calls <code>${part.name}</code>${part.id === undefined ? undefined : html` <small>${part.id}</small>`}</p>
<pre>${json(part.arguments)}</pre></div>`;
    case "edit":
      return folded(html`Edit of <code>${part.file}</code>`, part.text, "edit", true);
    case "tool_output":
      return html`<div class="tool_output${part.status ? " error" : ""}"><p>${part.status ? "error of" : "result of"} <code>${part.name ?? part.call ?? "the call"}</code></p>
<pre>${part.text}</pre>
${(part.attachments ?? []).map(attachmentOf)}</div>`;
  }
}

function attachmentOf(part: PmlAttachment): Html {
  const { kind, name, path, url, mime, encoding, content, omitted, alt } = part;
  const label = html`${kind} <code>${path ?? name ?? url ?? ""}</code>${omitted ? html` <small>left out</small>` : undefined}`;
  const isImage = encoding === "base64" && /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/.test(mime ?? "");
  const data = isImage ? base64In(content) : undefined;
  if (data !== undefined) {
    return html`<figure><img src="data:${mime};base64,${data}" alt="${alt ?? name ?? "An image"}"><figcaption>${label}</figcaption></figure>`;
  }
  const link =
    url !== undefined && /^https?:\/\//i.test(url)
      ? html` <a href="${url}" rel="noreferrer noopener">${url}</a>`
      : undefined;
  if (content === undefined || encoding === "base64") return html`<p class="attachment">${label}${link} ${alt}</p>`;
  return html`${folded(label, content, "attachment")}${link}`;
}

const folded = (summary: string | Html, text: string, kind = "", isOpen = false): Html =>
  html`<details class="${kind}"${isOpen ? html` open` : undefined}><summary>${summary}</summary><pre>${text}</pre></details>`;

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
