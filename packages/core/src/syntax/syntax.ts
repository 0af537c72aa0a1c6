import { oncePer } from "../common/once-per.js";
import type { Body, Slot } from "./bodies.js";
import { otherSpellings } from "./token-spellings.js";

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
  MarkedElementsBody,
  PythonArgumentsBody,
  Slot,
  YamlBody,
} from "./bodies.js";

/** A string is an exact marker when rendered; when read, space around it is free. */
export type Part = string | Slot | Body;

/** One way to write a call. */
export interface Form {
  call: Part[];
  /** The text around all calls of a reply and between them. */
  block?: { open: string; separator: string; close: string };
  /**
   * `reply`: read only if calls are the whole reply, or all of its end. For forms without a marker.
   * `start`: read only where the reply begins, and in its own protocol. For calls whose outer markers are missing: a server
   * dropped them, or the model left them out.
   * `line`: the call begins a line. For markers that are common in text as well, such as labels: without arguments, or
   * in another protocol, it counts only with the name of a tool.
   */
  at?: "anywhere" | "line" | "reply" | "start";
}

/**
 * Text between two markers that is not part of the answer. Without `close`, reasoning ends at the next label, and
 * dropped text at the end of the reply, because the text after an invented result depends on that result.
 */
export interface Span {
  open: string;
  close?: string;
  as: "reasoning" | "dropped";
}

/**
 * The messages of a reply, each with a header for its kind and recipient, as in
 * `<|start|>assistant<|channel|>commentary to=functions.add<|message|>…<|end|>`. The reply may begin inside a header.
 */
export interface Messages {
  /** The beginnings of a header; the author follows the one that is `role`. */
  open: string[];
  role?: string;
  /** The text between a header and the content. */
  text: string;
  /** The end of a message. */
  close: string[];
  /** Words of a header that make its message reasoning. */
  reasoning: string[];
}

/**
 * A wire format, as data from which rendering, parsing and constraints are derived.
 *
 * A marker of words and a colon (`Action:`) is a **label**: it is recognised at the beginning of a line, in any case,
 * with emphasis around it or a number after its words (`**Action 2:**`). Spans and noise with labels apply to their own
 * protocol only. A token with `▁` between its words is also read with other separators and bars, see `formsOf`.
 */
export interface Syntax extends Form {
  /** Several calls in one reply. */
  parallel: boolean;
  /** Stop sequences that end the reply after a call; a reply that stops there is complete. */
  stop?: string[];
  /** More forms that are read, but never rendered and not part of a grammar. */
  also?: Form[];
  spans?: Span[];
  /**
   * The beginnings of turns in the chat templates of its models: one that the model makes up is dropped, with all that follows.
   */
  turns?: readonly string[];
  /** The reply consists of messages. A call whose header ends with their `text` names its tool there. */
  messages?: Messages;
  /**
   * Markers without meaning: tokens are dropped wherever they occur, an opening tag and a word on a line where the reply
   * begins, a closing tag where it ends, and a closing marker in brackets after a call.
   */
  noise?: string[];
}

/** Whether a part of a call is a slot: the place of the tool's name, or of the call's number. */
export const isSlot = (part: Part | undefined): part is Slot => typeof part === "object" && "slot" in part;

/** Whether a part of a call is the arguments. */
export const isBody = (part: Part | undefined): part is Body => typeof part === "object" && "body" in part;

/** Whether a part is the arguments in this notation. */
export const isBodyOf = <Kind extends Body["body"]>(
  part: Part | undefined,
  kind: Kind,
): part is Extract<Body, { body: Kind }> => isBody(part) && part.body === kind;

/**
 * Every form of a syntax, in all spellings of its tokens: first the rendered one, then those that are only read. Cached.
 */
export const formsOf = oncePer((syntax: Syntax): readonly Form[] =>
  [syntax, ...(syntax.also ?? [])].flatMap((form) => [form, ...respelled(form)]),
);

/** A form in the other spellings of its tokens. */
function respelled(form: Form): Form[] {
  const { at, call, block } = form;
  const around = block ? [block.open, block.separator, block.close] : [];
  const texts = [...call.filter((part) => typeof part === "string"), ...around];
  return otherSpellings(texts).map((spell) => ({
    ...(at && { at }),
    ...(block && { block: { open: spell(block.open), separator: spell(block.separator), close: spell(block.close) } }),
    call: call.map((part) => (typeof part === "string" ? spell(part) : part)),
  }));
}

/** The spans of a syntax, in all spellings of their tokens. */
export const spansOf = ({ spans = [] }: Syntax): Span[] =>
  spans.flatMap((span) => {
    const { open, close } = span;
    const others = otherSpellings([open, close ?? ""]);
    return [
      span,
      ...others.map((spell) => ({ ...span, open: spell(open), ...(close !== undefined && { close: spell(close) }) })),
    ];
  });

/** Whether calls of this form count only by their place in the reply, because nothing but that marks them. */
export const isBare = ({ at }: Form): boolean => at === "reply" || at === "start";

/** Whether calls of this form are elements named after the tool, so that tools' names are part of its markers. */
export const isToolElement = ({ call: [open, name] }: Form): boolean =>
  open === "<" && isSlot(name) && name.slot === "name";
