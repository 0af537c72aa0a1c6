import type { GivenAliases } from "../schema/aliases.js";

/**
 * A place in a call that is not fixed text: the tool's name, or the call's number in the reply, from 0 (whatever stands
 * there is passed over when read). In elements: an argument's key, or whether its value is a plain string (`true`) or
 * JSON (`false`); or the JSON type of its value, where `string` means a plain one.
 */
export interface Slot {
  slot: "name" | "index" | "key" | "string" | "type";
}

/**
 * How one argument is written inside its own markup.
 * `text`: raw where the schema says only string, else JSON. `xml`: the same, with XML entities for `<` and `&`.
 * `markup`: raw, with entities only where it would be misread otherwise. Read, entities count if
 * one comes before the first `<` of the value's own: who writes markup as it is means its entities as they are.
 */
export type Leaf = "text" | "xml" | "markup";

/**
 * The arguments as one JSON object; the name came before it. `escape: "markup"` spells `<`, `&` and `'` as `\u00XX`.
 * `quote`: strings stand raw between two of these instead of quotation marks, and keys stand bare.
 */
export interface JsonBody {
  body: "json";
  escape?: "markup";
  quote?: string;
}

/** One JSON object that holds the name and the arguments under these keys, and before them the call's number, if a key for it is given. */
export interface JsonCallBody {
  body: "json-call";
  index?: string;
  name: string;
  arguments: string;
}

/** One JSON object whose only key is the tool's name and whose value is the arguments. */
export interface KeyedCallBody {
  body: "keyed-call";
}

/**
 * One element an argument. `structured` says how arrays and objects are written; both ways are read. `trims`: white space
 * around a value is no part of it, and values come whole.
 */
export interface ElementsBody {
  body: "elements";
  open: (string | Slot)[];
  close: (string | Slot)[];
  leaf: Leaf;
  structured?: "json" | "nested";
  trims?: true;
}

/** Python's keyword arguments, `(city="Paris", days=3)`; the name came before them. */
export interface PythonArgumentsBody {
  body: "python-arguments";
}

/**
 * The call as one element, `<call name="add" a="1"/>`: the name and the arguments are its attributes. Text stands as it
 * is, with XML entities for `&`, `<` and `"`; numbers, booleans and null as well; anything else as JSON between single
 * quotes.
 */
export interface AttributesBody {
  body: "attributes";
  /** The element's name. */
  tag: string;
  /** The attribute that holds the tool's name; empty where the element is named after the tool. */
  name: string;
  /** Tools and parameters go by short aliases, of which these are given by hand (see `aliasesFor`). */
  aliases?: GivenAliases;
}

/**
 * The rest of the message up to one of these labels: one JSON object; read as well, as text where the tool has only one
 * argument, or one that is required.
 */
export interface InputBody {
  body: "input";
  until: readonly string[];
}

/**
 * One JSON object that is the whole message: what the model thinks, and either a call (`{"action": {"tool", "args"}}`)
 * or the answer (`{"final": {"content"}}`), under these keys.
 */
export interface ActionBody {
  body: "action";
  thought: string;
  action: string;
  name: string;
  arguments: string;
  final: string;
  content: string;
  /** The reply must be this object to the letter, with a thought of at most so many characters; all else is rejected. */
  strict?: { maxThought: number };
}

/** A YAML mapping. A line may change what the ones before it mean, so arguments come when all are there. */
export interface YamlBody {
  body: "yaml";
  streams: false;
}

/** How the arguments are written. */
export type Body =
  | JsonBody
  | JsonCallBody
  | KeyedCallBody
  | ElementsBody
  | PythonArgumentsBody
  | AttributesBody
  | InputBody
  | ActionBody
  | YamlBody;

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
