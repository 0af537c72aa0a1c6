import type { Span } from "../../syntax/syntax.js";
import type { FormNode } from "../forms/forms.js";

/** The meaning of a marker in the text. */
export type Opening =
  /**
   * `isTag`: the marker is the beginning of a tag, whose attributes follow; `isWord`: it is common in prose; `line`: it
   * counts at the beginning of a line; `keys`: it begins an object, whose first key must be one of these.
   */
  | {
      marker: string;
      isTag: boolean;
      isWord: boolean;
      line: boolean;
      keys?: readonly string[];
      opens: "call";
      node: FormNode;
    }
  | { marker: string; opens: "span"; span: Span }
  /** The header of a message; `atStart`: only where the reply begins. */
  | { marker: string; opens: "header"; atStart: boolean }
  /** The marker has no meaning; in other places than `where` it may be text. */
  | { marker: string; opens: "nothing"; where: "anywhere" | "start" | "line-end" | "after-call" | "end" };
