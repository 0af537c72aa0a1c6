/** Written by scripts/write-versions.mjs. */
export const VERSION = "0.0.0";
