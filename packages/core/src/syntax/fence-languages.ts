// What prompts of models call the code fences around calls and results. Sources: the models' documentation.

/** Code that runs, so that the calls in it are meant. */
export const runLanguages: readonly string[] = [
  // Gemma
  "tool_code",
];

/** Calls. The prompts of several frameworks ask for them, and models that learned these write them in other formats too. */
const callLanguages: readonly string[] = ["tool_call", "tool_calls", "function_call", "function_calls"];

/** The output of code that has run. */
export const outputLanguages: readonly string[] = [
  // Gemma
  "tool_output",
];

/** Those that say that a fence contains calls. */
export const languagesOfCalls: readonly string[] = [...callLanguages, ...runLanguages];
