/** A text as a pattern that matches exactly it, with or without the flag `u`. Not for a class: it leaves the `-`. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
