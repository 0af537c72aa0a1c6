/** How the model is given tools, in both frameworks. */
export const how = { protocol: "hermes", style: "signature" } as const;

export const systemPrompt = "You are a helpful assistant.";
