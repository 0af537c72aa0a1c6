// What prompts of models call the code fences around calls and results. Sources: the models' documentation.

/** Code that runs, so that the calls in it are meant. */
export const runLanguages: readonly string[] = [
  // Gemma
  "tool_code",
];

/** The output of code that has run. */
export const outputLanguages: readonly string[] = [
  // Gemma
  "tool_output",
];
