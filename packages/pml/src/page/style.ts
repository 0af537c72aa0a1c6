import { type Html, html } from "./html.js";

/**
 * The style of a page: the reader's own colours, light or dark. The speaker is also visible by the side and the line.
 */
export const style: Html = html`
:root { color-scheme: light dark; --line: light-dark(#d0d5dd, #3a3f4b); --soft: light-dark(#f4f6f9, #1d2129); --user: light-dark(#1d5fbf, #7fb2ff); --call: light-dark(#7a4b00, #e8b45a); --error: light-dark(#b3261e, #ff8a80); }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1rem; }
h3 { font-size: .85rem; margin: 0 0 .25rem; }
small, header p, .omitted { opacity: .75; }
pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
code, details pre, .call pre, .tool_output pre { font: .875rem/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
.turn { border-top: 1px solid var(--line); display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; padding: .75rem 0; }
.turn > h2 { margin: 0; opacity: .6; }
article { border-left: .25rem solid var(--line); padding: .25rem .75rem; }
article.user { border-color: var(--user); }
article.user h3 { color: var(--user); }
article.system { border-style: dotted; }
article > * + * { margin-top: .5rem; }
details, .call, .tool_output, .attachment { background: var(--soft); border-radius: .375rem; padding: .375rem .625rem; margin: .375rem 0; }
summary { cursor: pointer; }
details pre { margin-top: .375rem; }
.call p, .tool_output p { color: var(--call); margin: 0; font-size: .85rem; }
.tool_output.error p { color: var(--error); }
.thinking { font-style: italic; }
figure { margin: .5rem 0; }
img { max-width: 100%; height: auto; }
@media print { details > pre { display: block; } body { max-width: none; } }
`;
