import { format } from "@cfworker/json-schema";

/** Checks strings against a format, by its name. Other formats are annotations. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  ...format,
  // The library's own check takes exponential time.
  url: (text) => /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text),
};
