// Colours, by what they stand for: the same thing has the same colour in every chart. Both sets have a contrast of at
// least 4.5 to their paper for text, and 3 for marks.
export const palettes = {
  light: {
    ...{ paper: "#fcfbf8", panel: "#f4f1ea", ink: "#1b2530", muted: "#5d6874", rule: "#e2ded5", axis: "#b9b4a8" },
    ...{ ours: "#0b6b7f", "ours-soft": "#7fb9c3", "ai-sdk": "#c2571b", langchain: "#7a5aa6", llamaindex: "#b0406f" },
    ...{ other: "#737b86", good: "#1f7448", bad: "#b3361f" },
  },
  dark: {
    ...{ paper: "#12171c", panel: "#1a2128", ink: "#e8eaec", muted: "#a3adb7", rule: "#29323a", axis: "#4b5660" },
    ...{ ours: "#4fb8cb", "ours-soft": "#2f7683", "ai-sdk": "#e8894f", langchain: "#ab8fd6", llamaindex: "#dd7aa3" },
    ...{ other: "#929ca6", good: "#5bc08d", bad: "#f08a74" },
  },
};

/** Whose way of calling tools it is: one colour for each. */
export const families = {
  ours: { name: "Toolingua", color: "ours" },
  aiSdk: { name: "@ai-sdk-tool/parser", color: "ai-sdk" },
  langchain: { name: "LangChain", color: "langchain" },
  llamaindex: { name: "LlamaIndex", color: "llamaindex" },
  engine: { name: "the engine's own", color: "other" },
  other: { name: "OpenAI, Anthropic and others", color: "other" },
};

/** The family of a cell, prompt or format by its name in the results. */
export function familyOf(name) {
  if (name.startsWith("ai-sdk-tool")) return families.aiSdk;
  if (name.startsWith("LangChain")) return families.langchain;
  if (name.startsWith("LlamaIndex")) return families.llamaindex;
  if (/^(json-schema|native|node-llama-cpp)\//.test(name)) return families.engine;
  return /JSON|^native$/.test(name) ? families.other : families.ours;
}

/** The custom properties of a palette, for a style sheet. */
export const properties = (palette) =>
  Object.entries(palette)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(" ");
