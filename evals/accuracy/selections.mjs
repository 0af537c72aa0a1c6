// Which of many tools a cell shows.
import { ToolSelection } from "@toolingua/core";

/** Makes the `toolSelection` of a turn. A conversation is known by its first messages, so each question needs its own. */
export const selections = {
  "all-tools": () => undefined,
  /** The model is asked first which tools it needs. */
  "selected-by-model": () => new ToolSelection(),
  /** The words of the question are searched for, without a request. */
  "selected-by-words": () => new ToolSelection({ by: "words" }),
};
