import type { GivenAliases } from "../schema/aliases.js";
import { markersIn } from "./markers.js";

/**
 * A place in a call that is not fixed text: the tool's name, or the call's number in the reply, from 0 by default (any
 * text is skipped there when read). In elements: an argument's key, or whether its value is a plain string (`true`) or JSON
 * (`false`); or the JSON type of its value, where `string` means a plain one.
 */
export type Slot =
  /**
   * `digits`: the number is written with at least so many, zeros first. `first`: the number of the first call.
   * `known`: only the name of an existing tool is read here, for forms whose markers other text may follow.
   */
  | { slot: "name"; known?: true }
  | { slot: "index"; digits?: number; first?: number }
  | { slot: "key" | "string" | "type" };

/**
 * How one argument is written inside its own markup.
 * `text`: raw if the schema admits only strings, else JSON. `xml`: the same, with XML entities for `<` and `&`.
 * `markup`: raw, with entities only where it would be misread otherwise. When read, entities are decoded if one comes
 * before the first `<` of the value: a model that writes raw markup also means its entities literally.
 * `exact`: like `text`, without layout, because the value ends at a mark that it cannot contain.
 */
export type Leaf = "text" | "xml" | "markup" | "exact";

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
 * around a value of one line is not part of it, and values are emitted whole.
 */
export interface ElementsBody {
  body: "elements";
  open: (string | Slot)[];
  close: (string | Slot)[];
  leaf: Leaf;
  structured?: "json" | "nested";
  trims?: true;
}

/**
 * One element per argument, named after it, with this mark directly before each tag: `]<]minimax[>[<a>2]<]minimax[>[</a>`.
 * Arrays are `<item>` elements, objects an element per key. Nothing is escaped, because only tags with the mark count; text
 * with the mark is refused. When read, a mark may be missing where nothing else can be meant.
 */
export interface MarkedElementsBody {
  body: "marked-elements";
  mark: string;
}

/** Python's keyword arguments after the name, `(city="Paris", days=3)`. `quote`: as in {@link JsonBody}, when read. */
export interface PythonArgumentsBody {
  body: "python-arguments";
  quote?: string;
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
 * argument or one required argument. `closer`: the input is on the line of the name, and text ends with this; if it is empty,
 * text is refused, because it may be a remark. `isObject`: it is one only if an object begins directly after the name.
 * `labels`: what models write in place of the label before the input, if an object follows; an empty one where they leave it
 * out.
 */
export interface InputBody {
  body: "input";
  until: readonly string[];
  closer?: string;
  isObject?: true;
  labels?: readonly string[];
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

/**
 * A YAML mapping. Later lines may change what a line says, so only literal blocks of text (`key: |`) stream, with the
 * arguments before them; the others are emitted when all are complete.
 */
export interface YamlBody {
  body: "yaml";
}

/** The notation of the arguments. */
export type Body =
  | JsonBody
  | JsonCallBody
  | KeyedCallBody
  | ElementsBody
  | MarkedElementsBody
  | PythonArgumentsBody
  | AttributesBody
  | InputBody
  | ActionBody
  | YamlBody;

/** Facts about a notation that follow from its form. */
export interface BodyFacts<B extends Body = Body> {
  /** The arguments in error messages: what was expected. */
  description: string;
  /** The language of its values; undefined: markup or YAML. */
  language?: "json" | "python";
  /**
   * Where the body also contains the tool's name: beside the arguments, as their key, or in a whole message, which may be an
   * answer instead.
   */
  holdsName?: "beside" | "key" | "message";
  /** In brackets: how many of them are open around the complete arguments. */
  ownBrackets?: number;
  /** Attributes of the tag that names the tool are arguments too. */
  takesTagArguments?: true;
  /** The markup that begins an argument, if it is more than `<`. */
  argumentOpener?(body: B): string | undefined;
  /** The name of the element that is the whole call. */
  element?(body: B): string;
  /** The first characters, which end the name before the body. */
  beginning(body: B): string;
  /** The text of a body without arguments, from the position where they would begin. */
  empty: string;
}

const object = { description: "a JSON object", language: "json", beginning: () => "{", ownBrackets: 1 } as const;

const facts: { [Kind in Body["body"]]: BodyFacts<Extract<Body, { body: Kind }>> } = {
  json: { ...object, empty: "{}" },
  "json-call": { ...object, holdsName: "beside", empty: "{}}" },
  "keyed-call": { ...object, holdsName: "key", empty: "{}}" },
  action: { ...object, holdsName: "message", ownBrackets: 2, empty: "{}}}" },
  "python-arguments": {
    description: "arguments in parentheses",
    language: "python",
    beginning: () => "(",
    ownBrackets: 1,
    empty: "()",
  },
  elements: {
    description: "an argument's tag",
    beginning: ({ open }) => markersIn(String(open[0]))[0] ?? "<",
    takesTagArguments: true,
    argumentOpener: ({ open: [first] }) =>
      typeof first === "string" && first.length > 1 ? first.trimEnd() : undefined,
    empty: "",
  },
  "marked-elements": {
    description: "an argument's tag",
    beginning: ({ mark }) => mark,
    empty: "",
  },
  attributes: {
    description: "attributes",
    beginning: ({ tag }) => `<${tag}`,
    element: ({ tag }) => tag,
    empty: "/>",
  },
  input: {
    description: "the input",
    language: "json",
    beginning: ({ isObject }) => (isObject ? "{" : "\n"),
    empty: "{}",
  },
  yaml: { description: "a YAML mapping", beginning: () => "\n", empty: "" },
};

/**
 * The facts about a body's notation.
 *
 * @example factsOf({ body: "json" }).description; // "a JSON object"
 */
export const factsOf = (body: Body): BodyFacts => facts[body.body];
