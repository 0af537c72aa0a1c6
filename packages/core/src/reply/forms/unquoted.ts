/** A name without quotes around it and without Markdown's escapes. */
export const unquoted = (name: string) =>
  /^\w+$/.test(name)
    ? name
    : name
        .trim()
        .replace(/^(["'`])(.*)\1$/, "$2")
        .replaceAll("\\_", "_");
