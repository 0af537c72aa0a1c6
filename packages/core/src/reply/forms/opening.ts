import type { Lookahead } from "../../notation/lookahead.js";
import type { Span } from "../../syntax/syntax.js";
import type { FormNode } from "./forms.js";

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
  /** `isPart`: the marker is a part of the span. */
  | { marker: string; opens: "span"; span: Span; isPart?: true }
  /** The header of a message; `atStart`: only where the reply begins. */
  | { marker: string; opens: "header"; atStart: boolean }
  /**
   * The marker has no meaning; in other places than `where` it may be text. `around-calls`: before the marker of a call;
   * `around-answer`: there, or where a line begins; `after-around`: after one of these; `around-result`: before data, in which
   * only calls with a marker are read. `close`: the marker that ends what it opens.
   */
  | {
      marker: string;
      opens: "nothing";
      close?: string | undefined;
      where:
        | "anywhere"
        | "start"
        | "line-end"
        | "around-calls"
        | "around-answer"
        | "around-result"
        | "after-around"
        | "after-call"
        | "end";
    };

/** The search for calls that are elements named after the tools. */
export interface ToolElementSearch {
  /** Whether a call may begin anywhere in a line: the tools are known, and the requested protocol writes such calls. */
  readonly anywhere: boolean;
  /**
   * The call whose tag is at an index. `claimed`: the tag has another meaning as well, so it counts only if it is
   * exactly a tool's name and continues as a call of that tool. `line`: it has not, and begins a line, which is required
   * for a call whose only argument is text.
   */
  at(look: Lookahead, index: number, place?: "claimed" | "line"): Opening | undefined;
  /**
   * The call that begins with a tool's name on its own line, without the tag's brackets, and an argument of the tool.
   */
  atLine(look: Lookahead, index: number): Opening | undefined;
  /** The closing tag of a tool's element at an index, which belongs to no call that is open. */
  closerAt(look: Lookahead, index: number): Opening | undefined;
}
