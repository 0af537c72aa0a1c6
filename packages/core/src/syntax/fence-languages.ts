// What the prompts of models call the code fences around calls and results. Sources: the models' documentation.

/** What the language of a code fence says that it contains: calls, code that runs, or the output of such code. */
export type FenceContents = "calls" | "code" | "output";

/** The languages in one spelling. */
const languages: Readonly<Record<string, FenceContents>> = {
  // The prompts of several frameworks ask for them, and models that learned these write them in other formats too.
  toolcall: "calls",
  functioncall: "calls",
  // Gemma
  toolcode: "code",
  tooloutput: "output",
};

/** What a language says that its fence contains, in any spelling: `tool_calls`, `Tool-Call`, `json tool_call`. */
export const contentsOf = (language: string): FenceContents | undefined =>
  languages[
    language
      .toLowerCase()
      .replace(/^json\s+/, "")
      .replace(/[_-]/g, "")
      .replace(/s$/, "")
  ];
