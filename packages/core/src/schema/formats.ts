import { format } from "@cfworker/json-schema";

/** What tells whether a string is in a format, by its name. Others are annotations. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  ...format,
  // That of the library takes exponential time.
  url: (text) => /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text),
};
