/** The shells that completions are written for. */
export const shells = ["bash", "zsh", "fish"] as const;
