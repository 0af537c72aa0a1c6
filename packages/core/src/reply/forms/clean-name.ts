import { asciiWordEnd } from "../../notation/input.js";

/** A name that is written on two lines. */
const TWICE = /^(\S+)\s*\n\s*\1$/;

/** The kind of tool or a label before a name, which has no space in it. */
const KIND = /^(?:function\s{1,64}|(?!function\s)\p{L}[\p{L} ]{0,15}[:：]\s{1,64}){1,64}(?=\S+$)/u;

/**
 * A name, once, without its kind and labels, without quotes or emphasis around it, the end of a tag after
 * it, and Markdown's escapes.
 */
export const cleanName = (name: string) =>
  name !== "" && asciiWordEnd(name, 0) === name.length
    ? name
    : name
        .trim()
        .replace(TWICE, "$1")
        .replace(/>$/, "")
        .replace(/^(["'`]|\*\*)(.*)\1$/, "$2")
        .replace(KIND, "")
        .replaceAll("\\_", "_");
