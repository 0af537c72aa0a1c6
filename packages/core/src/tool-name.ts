/** A tool's name that can be written in a call without quotes. */
export const BARE_NAME = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.:/-]*$/u;

/** What is read as a name without quotes: models also put spaces in. */
export const READABLE_NAME = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.:/\- ]*$/u;
