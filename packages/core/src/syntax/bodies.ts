import type { GivenAliases } from "../schema/aliases.js";
import { markersIn } from "./markers.js";

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

/** What is known of a way to write arguments from how it looks. */
export interface BodyFacts<B extends Body = Body> {
  /** The arguments as they are called in an error: what was expected. */
  description: string;
  /** The body holds the tool's name as well. */
  holdsName?: true;
  /** What it begins with, which ends the name before it. */
  beginning(body: B): string;
  /** Whether it may begin with a character. */
  beginsWith(body: B, char: string): boolean;
  /** How it ends if there are no arguments, from where they would begin. */
  empty: string;
}

const isOneOf = (chars: string) => (_: Body, char: string) => char !== "" && chars.includes(char);

const object = { description: "a JSON object", beginning: () => "{" };

const facts: { [Kind in Body["body"]]: BodyFacts<Extract<Body, { body: Kind }>> } = {
  json: { ...object, beginsWith: isOneOf('{["'), empty: "{}" },
  "json-call": { ...object, holdsName: true, beginsWith: isOneOf("{["), empty: "{}}" },
  "keyed-call": { ...object, holdsName: true, beginsWith: isOneOf("{["), empty: "{}}" },
  action: { ...object, holdsName: true, beginsWith: isOneOf("{"), empty: "{}}}" },
  "python-arguments": {
    description: "arguments in parentheses",
    beginning: () => "(",
    beginsWith: isOneOf("("),
    empty: "()",
  },
  elements: {
    description: "an argument's tag",
    beginning: ({ open }) => markersIn(String(open[0]))[0] ?? "<",
    beginsWith: ({ open }, char) => String(open[0]).startsWith(char),
    empty: "",
  },
  attributes: {
    description: "attributes",
    beginning: ({ tag }) => `<${tag}`,
    beginsWith: isOneOf("<"),
    empty: "/>",
  },
  input: { description: "the input", beginning: () => "\n", beginsWith: () => true, empty: "{}" },
  yaml: { description: "a YAML mapping", beginning: () => "\n", beginsWith: (_, char) => char !== "<", empty: "" },
};

/**
 * What is known of a body from how it looks.
 *
 * @example factsOf({ body: "json" }).description; // "a JSON object"
 */
export const factsOf = (body: Body): BodyFacts => facts[body.body];
