import type { GivenAliases } from "../schema/aliases.js";

/**
 * A place in a call that is not fixed text: the tool's name, or the call's number in the reply, from 0 (any text is
 * skipped there when read). In elements: an argument's key, or whether its value is a plain string (`true`) or JSON
 * (`false`); or the JSON type of its value, where `string` means a plain one.
 */
export interface Slot {
  slot: "name" | "index" | "key" | "string" | "type";
}

/**
 * How one argument is written inside its own markup.
 * `text`: raw if the schema admits only strings, else JSON. `xml`: the same, with XML entities for `<` and `&`.
 * `markup`: raw, with entities only where it would be misread otherwise. When read, entities are decoded if one comes
 * before the first `<` of the value: a model that writes raw markup also means its entities literally.
 */
export type Leaf = "text" | "xml" | "markup";

/**
 * The arguments as one JSON object, after the name. `escape: "markup"` writes `<`, `&` and `'` as `\u00XX`.
 * `quote`: strings are raw between two of these instead of quotation marks, and keys are bare.
 */
export interface JsonBody {
  body: "json";
  escape?: "markup";
  quote?: string;
}

/**
 * One JSON object with the name and the arguments under these keys, preceded by the call's number if a key for it is
 * given.
 */
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
 * One element per argument. `structured`: how arrays and objects are written; both ways are read. `trims`: white space
 * around a value is not part of it, and values are emitted whole.
 */
export interface ElementsBody {
  body: "elements";
  open: (string | Slot)[];
  close: (string | Slot)[];
  leaf: Leaf;
  structured?: "json" | "nested";
  trims?: true;
}

/** Python's keyword arguments after the name, `(city="Paris", days=3)`. */
export interface PythonArgumentsBody {
  body: "python-arguments";
}

/**
 * The call as one element, `<call name="add" a="1"/>`: the name and the arguments are its attributes. Text is written
 * with XML entities for `&`, `<` and `"`; numbers, booleans and null are plain; other values are JSON between single
 * quotes.
 */
export interface AttributesBody {
  body: "attributes";
  /** The element's name. */
  tag: string;
  /** The attribute with the tool's name; empty if the element is named after the tool. */
  name: string;
  /** Tools and parameters have short aliases; these are explicit (see `aliasesFor`). */
  aliases?: GivenAliases;
}

/**
 * The rest of the message up to one of these labels: one JSON object. Also read: plain text, if the tool has only one
 * argument or one required argument.
 */
export interface InputBody {
  body: "input";
  until: readonly string[];
}

/**
 * One JSON object that is the whole message: the model's thought, and either a call (`{"action": {"tool", "args"}}`)
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
  /**
   * The reply must be exactly this object, with a thought of at most `maxThought` characters; anything else is
   * rejected.
   */
  strict?: { maxThought: number };
}

/** A YAML mapping. A line may change the meaning of earlier ones, so arguments are emitted when all are complete. */
export interface YamlBody {
  body: "yaml";
  streams: false;
}

/** The notation of the arguments. */
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
  /** The text around all calls of a reply and between them. */
  block?: { open: string; separator: string; close: string };
  /**
   * `reply`: read only if calls are the whole reply. For forms without a marker.
   * `line`: the call begins a line. For markers that are common in text as well, such as labels: without arguments, or
   * in another protocol, it counts only with the name of a tool.
   */
  at?: "anywhere" | "line" | "reply";
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
 * protocol only.
 */
export interface Syntax extends Form {
  /** Several calls in one reply. */
  parallel: boolean;
  /** Stop sequences that end the reply after a call; a reply that stops there is complete. */
  stop?: string[];
  /** More forms that are read, but never rendered and not part of a grammar. */
  also?: Form[];
  spans?: Span[];
  /** The reply consists of messages. A call whose header ends with their `text` names its tool there. */
  messages?: Messages;
  /** Markers without meaning, such as those around an answer: dropped wherever they occur. */
  noise?: string[];
}

/** Whether a part of a call is fixed text, a slot or the arguments. */
export const isSlot = (part: Part | undefined): part is Slot => typeof part === "object" && "slot" in part;
export const isBody = (part: Part | undefined): part is Body => typeof part === "object" && "body" in part;

/** Whether a part is the arguments in this notation. */
export const isBodyOf = <Kind extends Body["body"]>(
  part: Part | undefined,
  kind: Kind,
): part is Extract<Body, { body: Kind }> => isBody(part) && part.body === kind;

/** Every form of a syntax: first the rendered one, then those that are only read. */
export const formsOf = (syntax: Syntax): readonly Form[] => [syntax, ...(syntax.also ?? [])];

/** Whether calls of this form are elements named after the tool, so that tools' names are part of its markers. */
export const isToolElement = ({ call: [open, name] }: Form): boolean =>
  open === "<" && isSlot(name) && name.slot === "name";
