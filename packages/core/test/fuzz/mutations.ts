import { type Protocol, protocols, type Syntax } from "../../src/index.js";
import { markersOf } from "../../src/prompt/markers.js";
import type { Random } from "./random.js";

/** The sources of a mutation besides the reply itself. */
export interface Material {
  random: Random;
  protocol: Protocol;
  /** Another reply, of any format. */
  other: () => string;
}

type Mutation = (text: string, material: Material) => string;

/** Every literal of a format: what its calls, arguments, blocks and spans begin, end and are parted with. */
function literalsOf(syntax: Syntax): string[] {
  const forms = [syntax, ...(syntax.also ?? [])];
  const parts = forms.flatMap(({ call, block }) => [
    ...call.flatMap((part) => {
      if (typeof part === "string") return part;
      return "body" in part && part.body === "elements" ? [...part.open, ...part.close] : [];
    }),
    ...(block ? [block.open, block.separator, block.close] : []),
  ]);
  const texts = parts.filter((part) => typeof part === "string");
  const messages = syntax.messages ? [...syntax.messages.open, syntax.messages.text, ...syntax.messages.close] : [];
  const all = [...texts, ...texts.map((text) => text.trim()), ...markersOf(syntax), ...messages];
  return [...new Set(all)].filter((text) => text !== "");
}

const literals = new Map(Object.values(protocols).map((protocol) => [protocol.name, literalsOf(protocol.syntax)]));
const allLiterals = [...new Set([...literals.values()].flat())];

/** Characters and words that readers of text, JSON, XML, YAML and Python trip over. */
const NASTY = [
  ...["1e999", "-1e999", "[1e999]", '{"x":1e400}', "-0", "-0.0", "1.", ".5", "0x1F", "01", "1e", "NaN", "-Infinity"],
  ...["\ufeff", "\0", "\u2028", "\u2029", "\x85", "\x1b", "\u200b", "\xa0", "\r", "\r\n", "\t", "\b", "\x7f"],
  ...["\ud800", "\udc00", "\ud83d", "😀", "e\u0301", "\u202e", "ﬀ", "İ", "ß"],
  ...[
    "[[[[[[[[",
    "{{{{{{",
    "]]]]",
    "}}}}",
    "[{".repeat(40),
    "((((",
    "))",
    '"}',
    '"]}',
    "'}",
    '\\"',
    "\\",
    "\\\\",
    "\\u",
    "\\ud83d",
  ],
  ...["__proto__", "constructor", "toString", "null", "None", "True", "undefined", '""', "''", "``", '"""', "'''"],
  ...["<!--", "-->", "<![CDATA[", "]]>", "&lt;", "&#x0;", "&amp;lt;", "&#1114112;", "<?xml?>", "</", "/>", "<", ">"],
  ...[
    "```",
    "```json\n",
    "```python\n",
    "\n```\n",
    "`",
    "~~~",
    "//",
    "/*",
    "*/",
    "#",
    "%",
    "@",
    "\n@",
    "|",
    "- ",
    ": ",
    ", ,",
    ",,",
  ],
  ...[
    '"name"',
    '"arguments"',
    '"parameters":',
    '{"name":',
    '"type":"function",',
    "name=",
    "\n\n",
    "  ",
    ";",
    "=",
    "!!str ",
    "&a ",
    "*a",
  ],
  ...["Action:", "Thought:", "Final Answer:", "Observation:", "**Action 2:** ", "Action Input:", "Answer: "],
  ...["<think>", "</think>", "<|im_end|>", "<|start|>assistant", "<|channel|>", "<any:tool_call>", "</any:tool_call>"],
];

/** What decides whether text quotes or mentions a call, and space that a decision may not see in one piece. */
const AROUND = [
  ...[
    '"',
    "'",
    "`",
    "```",
    "~~~",
    "\\",
    "/",
    "//",
    "#",
    ">",
    "- ",
    "* ",
    ".",
    ",",
    ";",
    ":",
    "(",
    "[",
    "{",
    "<",
    "</",
    "<|",
  ],
  ...[
    "\n",
    "\n\n",
    " ",
    " ".repeat(31),
    " ".repeat(62),
    " ".repeat(66),
    "ok",
    "or ",
    "user\n",
    "<|im_end|>",
    "<|end|>",
    "</s>",
  ],
];

const WORDS = [
  "I will call the tool.",
  "Then:",
  "See <b>this</b>",
  "a < b && c",
  'He said "no".',
  "1. first\n2. second",
  "{x}",
  "done",
];

const insert = (text: string, at: number, piece: string) => text.slice(0, at) + piece + text.slice(at);
const anywhere = (text: string, random: Random) => random.int(text.length + 1);

/** The index of a character that has meaning in some format, or any. */
function joint(text: string, random: Random): number {
  const from = anywhere(text, random);
  const at = text.slice(from).search(/[<>{}[\]()"':,=\n|]/);
  return at < 0 ? from : from + at + random.int(2);
}

/** The ways in which a reply is changed, by name. */
export const mutations: Record<string, Mutation> = {
  cut: (text, { random }) => text.slice(0, anywhere(text, random)),
  "cut the beginning": (text, { random }) => text.slice(anywhere(text, random)),
  remove: (text, { random }) => {
    const [from, to] = random.range(text.length);
    return text.slice(0, from) + text.slice(to);
  },
  duplicate: (text, { random }) => {
    const [from, to] = random.range(text.length);
    return insert(text, random.chance(0.5) ? to : anywhere(text, random), text.slice(from, to));
  },
  swap: (text, { random }) => {
    const [a, b] = random.range(text.length);
    const [c, d] = random.range(text.length - b);
    return text.slice(0, a) + text.slice(b + c, b + d) + text.slice(b, b + c) + text.slice(a, b) + text.slice(b + d);
  },
  splice: (text, { random, other }) => {
    const piece = other();
    return insert(text, joint(text, random), piece.slice(...random.range(piece.length)));
  },
  "own marker": (text, { random, protocol }) =>
    insert(text, joint(text, random), random.pick(literals.get(protocol.name)!)),
  "foreign marker": (text, { random }) => insert(text, joint(text, random), random.pick(allLiterals)),
  "broken marker": (text, { random, protocol }) => {
    const marker = random.pick(random.chance(0.6) ? literals.get(protocol.name)! : allLiterals);
    const [from, to] = random.chance(0.5) ? [0, random.int(marker.length)] : random.range(marker.length);
    return insert(text, joint(text, random), marker.slice(from, to));
  },
  nasty: (text, { random }) =>
    insert(text, random.chance(0.5) ? joint(text, random) : anywhere(text, random), random.pick(NASTY)),
  // About as many as the reader waits for, and more.
  "long space": (text, { random }) =>
    insert(
      text,
      joint(text, random),
      random.pick([" ", "\n", "\t"]).repeat(random.pick([60, 63, 64, 65, 66, 100, 129])),
    ),
  "around a call": (text, { random }) => {
    const pieces = () => Array.from({ length: random.int(4) }, () => random.pick(AROUND)).join("");
    return pieces() + text + pieces();
  },
  "nasty value": (text, { random }) => {
    const found = [...text.matchAll(/"[^"]*"|-?\d+(?:\.\d+)?|true|false|null/g)];
    if (found.length === 0) return text;
    const value = random.pick(found);
    return text.slice(0, value.index) + random.pick(NASTY) + text.slice(value.index + value[0].length);
  },
  "nasty beginning": (text, { random }) => random.pick(NASTY) + text,
  character: (text, { random }) => {
    const at = anywhere(text, random);
    return text.slice(0, at) + random.pick([..."<>{}[]()\"'\\`&;:,/=\n\t |@#ax0"]) + text.slice(at + 1);
  },
  case: (text, { random }) => {
    const [from, to] = random.range(text.length);
    const part = text.slice(from, to);
    return text.slice(0, from) + (random.chance(0.5) ? part.toUpperCase() : part.toLowerCase()) + text.slice(to);
  },
  quotes: (text, { random }) => {
    const [from, to] = random.range(text.length);
    const [a, b] = random.pick([
      ['"', "'"],
      ["'", '"'],
      ['"', '\\"'],
      ['"', "“"],
      ['"', ""],
    ] as const);
    return text.slice(0, from) + text.slice(from, to).replaceAll(a, b) + text.slice(to);
  },
  layout: (text, { random }) => {
    const [a, b] = random.pick([
      ["\n", "\r\n"],
      ["\n", ""],
      [" ", "\n"],
      [" ", ""],
      [">", "> "],
      ["<", "\n<"],
      [":", " : "],
    ] as const);
    return text.replaceAll(a, b);
  },
  escaped: (text, { random }) => {
    const [from, to] = random.range(text.length);
    return text.slice(0, from) + JSON.stringify(text.slice(from, to)).slice(1, -1) + text.slice(to);
  },
  fenced: (text, { random }) =>
    `${random.pick(["```", "```json", "```xml", "````", "~~~"])}\n${text}\n${random.pick(["```", "", "````"])}`,
  prose: (text, { random }) =>
    `${random.pick(WORDS)}${random.pick(["\n", " ", "\n\n", ""])}${text}${random.pick(["\n", " ", ""])}${random.pick(WORDS)}`,
  "another reply": (text, { random, other }) => text + random.pick(["\n", "", " ", ", ", ";", "\n\n"]) + other(),
  "comment before another reply": (text, { random, other }) =>
    text + random.pick(["// ", " # ", "\n// ", "\n# ", "/* ", "<!-- ", "> "]) + random.pick([...WORDS, ""]) + other(),
  "unclosed reasoning": (text, { random }) =>
    random.pick(["<think>", "<think>\n", "<thinking>"]) + random.pick(["", "", ...WORDS]) + text,
  inside: (text, { random, protocol }) => {
    const marks = literals.get(protocol.name)!;
    return random.pick(marks) + text + random.pick(marks);
  },
  soup: (_, { random, protocol }) => {
    const own = literals.get(protocol.name)!;
    const piece = () => (random.chance(0.6) ? random.pick(own) : random.pick(random.chance(0.5) ? NASTY : WORDS));
    return Array.from({ length: 2 + random.int(10) }, piece).join("");
  },
};

const names = Object.keys(mutations);

/** A reply changed in up to four ways, and which. */
export function mutate(text: string, material: Material): { text: string; applied: string[] } {
  const { random } = material;
  const count = random.int(5);
  const applied: string[] = [];
  let changed = text;
  for (let i = 0; i < count && changed.length < 4000; i++) {
    const name = random.pick(names);
    changed = mutations[name]!(changed, material);
    applied.push(name);
  }
  return { text: changed, applied };
}

/** A string that is difficult to represent in this format. */
export function nastyString({ random, protocol }: Pick<Material, "random" | "protocol">): string {
  const own = literals.get(protocol.name)!;
  const piece = () => {
    const kind = random.int(10);
    if (kind < 4) return random.pick(own);
    if (kind < 5) return random.pick(allLiterals);
    if (kind < 8) return random.pick(NASTY);
    return random.pick(WORDS);
  };
  const text = Array.from({ length: random.int(5) }, piece).join(random.pick(["", "", " ", "\n"]));
  // Lone surrogates are no text.
  return Buffer.from(text, "utf8").toString("utf8");
}
