import { asciiWordEnd } from "../../notation/input.js";

/** A name that is written on two lines. */
const TWICE = /^(\S+)\s*\n\s*\1$/;

/** The kind of tool before a name, which has no space in it. */
const KIND = /^function\s+(?=\S+$)/;

/** A name, once, without its kind, without quotes or emphasis around it and without Markdown's escapes. */
export const cleanName = (name: string) =>
  name !== "" && asciiWordEnd(name, 0) === name.length
    ? name
    : name
        .trim()
        .replace(TWICE, "$1")
        .replace(/^(["'`]|\*\*)(.*)\1$/, "$2")
        .replace(KIND, "")
        .replaceAll("\\_", "_");
