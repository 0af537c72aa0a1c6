/** The shells with completions. */
export const shells = ["bash", "zsh", "fish"] as const;
