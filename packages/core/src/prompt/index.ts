export { createEscaper, type Escaper, escapeText, unescapeText } from "./escape.js";
export { markersOf, templateMarkers } from "./markers.js";
export {
  type RenderedPrompt,
  type RenderPromptOptions,
  renderPrompt,
} from "./render-prompt.js";
export { listTools, toolsAsJson, toolsAsSignatures } from "./styles/index.js";
