import { asciiWordEnd } from "../../notation/input.js";

/** A name without quotes or emphasis around it and without Markdown's escapes. */
export const unquoted = (name: string) =>
  name !== "" && asciiWordEnd(name, 0) === name.length
    ? name
    : name
        .trim()
        .replace(/^(["'`]|\*\*)(.*)\1$/, "$2")
        .replaceAll("\\_", "_");
