import type { Body, Slot } from "./bodies.js";

export type {
  ActionBody,
  AttributesBody,
  Body,
  ElementsBody,
  InputBody,
  JsonBody,
  JsonCallBody,
  KeyedCallBody,
  Leaf,
  PythonArgumentsBody,
  Slot,
  YamlBody,
} from "./bodies.js";

/** A string is an exact marker when rendered; when read, space around it is free. */
export type Part = string | Slot | Body;

/** One way to write a call. */
export interface Form {
  call: Part[];
  /** What stands around all calls of a reply and between them. */
  block?: { open: string; separator: string; close: string };
  /**
   * `reply`: understood only when calls are the whole reply. For forms without a marker of their own.
   * `line`: the call begins a line. For markers that are common in text as well, such as labels: without arguments, or
   * in another protocol, it counts only with the name of a tool.
   */
  at?: "anywhere" | "line" | "reply";
}

/**
 * Text between two markers that is not part of the answer. Without `close` reasoning goes on to the next label, and what
 * is dropped to the end of the reply: what follows a result that the model made up rests on it.
 */
export interface Span {
  open: string;
  close?: string;
  as: "reasoning" | "dropped";
}

/**
 * Messages of which a reply consists, each with a header that says what it is and for whom, as in
 * `<|start|>assistant<|channel|>commentary to=functions.add<|message|>…<|end|>`. The reply may begin inside a header.
 */
export interface Messages {
  /** What a header begins with; after `role`, whose message it is. */
  open: string[];
  role?: string;
  /** What stands between a header and the text. */
  text: string;
  /** What ends a message. */
  close: string[];
  /** Words of a header that make its message reasoning. */
  reasoning: string[];
}

/**
 * A wire format, as data: what is rendered, parsed and constrained follows from it.
 *
 * A marker that is words and a colon (`Action:`) is a **label**: it stands at the beginning of a line, and is read in
 * any case, with emphasis around it or a number behind its words (`**Action 2:**`). Spans and noise with labels count in
 * their own protocol only.
 */
export interface Syntax extends Form {
  /** Several calls in one reply. */
  parallel: boolean;
  /** Stop sequences that end the reply after a call; a reply that stops there is complete. */
  stop?: string[];
  /** Understood, never rendered nor constrained to. */
  also?: Form[];
  spans?: Span[];
  /** The reply consists of messages. A call whose header ends with their `text` names its tool there. */
  messages?: Messages;
  /** Markers that mean nothing to a reader, such as those around an answer: left out wherever they stand. */
  noise?: string[];
}

/** Whether a part of a call is fixed text, a slot or the arguments. */
export const isSlot = (part: Part | undefined): part is Slot => typeof part === "object" && "slot" in part;
export const isBody = (part: Part | undefined): part is Body => typeof part === "object" && "body" in part;

/** Whether a part is the arguments, written in this way. */
export const isBodyOf = <Kind extends Body["body"]>(
  part: Part | undefined,
  kind: Kind,
): part is Extract<Body, { body: Kind }> => isBody(part) && part.body === kind;

/** Every form of a syntax: the one that is rendered first, then those that are only read. */
export const formsOf = (syntax: Syntax): readonly Form[] => [syntax, ...(syntax.also ?? [])];

/** Whether calls of this form are elements that are named after the tool, so that the tools' names make its markers. */
export const isToolElement = ({ call: [open, name] }: Form): boolean =>
  open === "<" && isSlot(name) && name.slot === "name";
