import { GrammarError } from "./errors.js";

/**
 * The rules of a grammar in llama.cpp's GBNF while it is built. Rules with equal bodies share one name.
 * Format: https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
 */
export class Rules {
  private readonly bodies = new Map<string, string>();
  private readonly byBody = new Map<string, string>();
  private readonly byKey = new Map<string, string>();
  private readonly remembered = new Map<object, Map<object, unknown>>();
  private readonly made = new Map<string, unknown>();
  private readonly taken = new Map<string, number>([["root", 1]]);

  /** Returns the name of the rule with this body, adding the rule if it is new. The name is derived from `hint`. */
  add(hint: string, body: string): string {
    let name = this.byBody.get(body);
    if (name === undefined) {
      name = this.reserve(hint);
      this.define(name, body);
    }
    return name;
  }

  /** Returns the name of the rule for `key`. On first use `make` writes its body, which can refer to the name. */
  once(key: string, hint: string, make: (name: string) => string): string {
    let name = this.byKey.get(key);
    if (name === undefined) {
      name = this.reserve(hint);
      this.byKey.set(key, name);
      this.define(name, make(name));
    }
    return name;
  }

  /** Returns the result of `make` for this pair of objects, computed on first use. */
  remember<T>(a: object, b: object, make: () => T): T {
    let known = this.remembered.get(a);
    if (!known) {
      known = new Map();
      this.remembered.set(a, known);
    }
    if (!known.has(b)) known.set(b, make());
    return known.get(b) as T;
  }

  /** Returns the result of `make` for `key`, computed on first use. */
  shared<T>(key: string, make: () => T): T {
    if (!this.made.has(key)) this.made.set(key, make());
    return this.made.get(key) as T;
  }

  /** Reserves a name for a rule that is defined later, because its body refers to the name. */
  reserve(hint: string): string {
    const text = hint.replace(/[^A-Za-z0-9]+/g, "-").replace(/^[-0-9]+|-+$/g, "");
    // Names are short because there are hundreds of them: whole words make a grammar a tenth longer.
    const base = text.slice(0, 6).replace(/-$/, "") || "rule";
    let name = base;
    while (this.taken.has(name)) {
      const next = this.taken.get(base)! + 1;
      this.taken.set(base, next);
      name = `${base}${next}`;
    }
    this.taken.set(name, 1);
    return name;
  }

  define(name: string, body: string): void {
    this.bodies.set(name, body);
    this.byBody.set(body, name);
  }

  /** The rules among `names` that match no finite text, because every alternative leads back to the rule itself. */
  endless(names: readonly string[]): Set<string> {
    const ending = new Set<string>();
    const waiting = new Set(names);
    for (const name of waiting) for (const other of references(this.bodies.get(name) ?? "")) waiting.add(other);
    for (let known = -1; known < ending.size; ) {
      known = ending.size;
      for (const name of waiting) {
        const body = this.bodies.get(name);
        if (!ending.has(name) && body !== undefined && canEnd(body, ending)) ending.add(name);
      }
    }
    return new Set(names.filter((name) => !ending.has(name)));
  }

  /** Prints the grammar: `root`, then each rule it needs, in the order of first use. */
  print(root: string): string {
    const lines = [`root ::= ${root}`];
    const printed = new Set<string>();
    const waiting = references(root);
    // The list grows during the loop.
    for (const name of waiting) {
      if (printed.has(name)) continue;
      printed.add(name);
      const body = this.bodies.get(name);
      if (body === undefined)
        throw new GrammarError("unsatisfiable", `No value matches the part of the schema called ${name}.`);
      lines.push(`${name} ::= ${body}`);
      for (const other of references(body)) waiting.push(other);
    }
    return `${lines.join("\n")}\n`;
  }
}

/** The index after the literal or character class that begins at an index. */
export const tokenEnd = (body: string, at: number): number =>
  skipPast(body, at + 1, body.charAt(at) === '"' ? '"' : "]");

/** The tokens of a body. */
function tokensOf(body: string): string[] {
  const pattern = /["[]|\{[^}]*\}|[A-Za-z][A-Za-z0-9-]*|[()|?*+]/g;
  const tokens: string[] = [];
  for (let found = pattern.exec(body); found; found = pattern.exec(body)) {
    const isText = found[0] === '"' || found[0] === "[";
    const end = isText ? tokenEnd(body, found.index) : pattern.lastIndex;
    tokens.push(body.slice(found.index, end));
    pattern.lastIndex = end;
  }
  return tokens;
}

/** Whether a body matches a finite text, given that the rules in `ending` do and no other rule does. */
function canEnd(body: string, ending: ReadonlySet<string>): boolean {
  const tokens = tokensOf(body);
  let at = 0;
  const alternatives = (): boolean => {
    let some = false;
    let all = true;
    for (let token = tokens[at]; token !== undefined && token !== ")"; token = tokens[at]) {
      at++;
      if (token === "|") {
        some ||= all;
        all = true;
        continue;
      }
      let ends = true;
      if (token === "(") {
        ends = alternatives();
        at++;
      } else if (/^[A-Za-z]/.test(token)) ends = ending.has(token);
      const next = tokens[at] ?? "";
      if (/^[?*+{]/.test(next)) {
        at++;
        ends ||= next === "?" || next === "*" || next.startsWith("{0");
      }
      all &&= ends;
    }
    return some || all;
  };
  return alternatives();
}

/** The rule names in a body: those outside literals, character classes and counts. */
function references(body: string): string[] {
  const names: string[] = [];
  for (let at = 0; at < body.length; ) {
    const char = body.charAt(at);
    if (char === '"' || char === "[" || char === "{") at = skipPast(body, at + 1, closing[char]);
    else if (isLetter(char)) {
      const start = at;
      while (isLetter(body.charAt(at)) || isDigitOrDash(body.charAt(at))) at++;
      names.push(body.slice(start, at));
    } else at++;
  }
  return names;
}

const isLetter = (char: string) => (char >= "a" && char <= "z") || (char >= "A" && char <= "Z");
const isDigitOrDash = (char: string) => (char >= "0" && char <= "9") || char === "-";
const closing = { '"': '"', "[": "]", "{": "}" };

/** The index after the next `close` that no backslash escapes. */
function skipPast(body: string, start: number, close: string): number {
  let at = start;
  while (at < body.length && body.charAt(at) !== close) at += body.charAt(at) === "\\" ? 2 : 1;
  return at + 1;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be escaped.
const RARE = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]/;
const escapes: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\" };

/** A literal, which matches exactly this text. */
export function literal(text: string): string {
  // GBNF has these escapes in common with JSON.
  if (!RARE.test(text)) return JSON.stringify(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
  const escaped = text.replace(/["\\\x00-\x1f\x7f]/g, (char) => escapes[char] ?? hex(char));
  return `"${escaped}"`;
}

/**
 * A class of these characters, or with `not` of all others. `controls` adds the control characters, `wide` all
 * characters beyond ASCII except those in that text.
 */
export function classOf(chars: string, how: { not?: boolean; controls?: boolean; wide?: string } = {}): string {
  const listed = [...new Set(chars)]
    .filter((char) => !(how.controls && char < " "))
    .map((char) => inClass[char] ?? (char < " " || char === "\x7f" ? hex(char) : char))
    .join("");
  const inside = listed.length >= 10 ? listed.replace(LETTERS, "A-Za-z").replace(DIGITS, "0-9") : listed;
  return `[${how.not ? "^" : ""}${inside}${how.controls ? "\\x00-\\x1F" : ""}${how.wide === undefined ? "" : beyondAscii(how.wide)}]`;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";

/** Ranges of all characters beyond ASCII, except these. */
function beyondAscii(except: string): string {
  const gaps = [...new Set(except)].map((char) => char.codePointAt(0)!).filter((code) => code >= 0x80);
  const bounds = [0x7f, ...gaps.sort((a, b) => a - b), 0x110000];
  const ranges = bounds.slice(1).map((end, i) => [bounds[i]! + 1, end - 1] as const);
  return ranges.flatMap(([from, to]) => (from <= to ? `${wideHex(from)}-${wideHex(to)}` : [])).join("");
}

const wideHex = (code: number) =>
  code < 0x100 ? `\\x${code.toString(16)}` : `\\U${code.toString(16).toUpperCase().padStart(8, "0")}`;

const inClass: Record<string, string> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\\": "\\\\",
  "[": "\\[",
  "]": "\\]",
  "^": "\\x5e",
  "-": "\\x2d",
};

const hex = (char: string) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** Joins parts into a sequence, and leaves out empty ones. */
export function sequence(...parts: readonly string[]): string {
  let text = "";
  for (const part of parts) if (part !== "") text += text === "" ? part : ` ${part}`;
  return text;
}

/** A choice between options. Several options are bracketed, so that the choice can be used anywhere. */
export function choice(options: readonly string[]): string {
  if (options.length === 1) return options[0]!;
  const distinct = [...new Set(options)];
  return distinct.length === 1 ? distinct[0]! : `(${distinct.join(" | ")})`;
}

/** A rule name or a character class: repeating it takes no brackets. */
const isSingle = (part: string) =>
  part.startsWith("[") ? tokenEnd(part, 0) === part.length : /^[A-Za-z0-9§-]+$/.test(part);

/** Whether one pair of brackets encloses the whole part. */
function isBracketed(part: string): boolean {
  if (!part.startsWith("(") || !part.endsWith(")")) return false;
  let depth = 0;
  for (let at = 0; at < part.length; ) {
    const char = part.charAt(at);
    if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return at === part.length - 1;
    at = char === '"' || char === "[" ? tokenEnd(part, at) : at + 1;
  }
  return false;
}

/** Repeats a part between `min` and `max` times; without `max`, at least `min` times. */
export function repeat(part: string, min: number, max: number | undefined): string {
  if (part === "" || max === 0) return "";
  if (min === 1 && max === 1) return part;
  const group = isSingle(part) || isBracketed(part) ? part : `(${part})`;
  if (min === 0 && max === 1) return `${group}?`;
  if (max === undefined && min <= 1) return group + (min === 0 ? "*" : "+");
  // Bracketed, because llama.cpp multiplies the counts of adjacent repetitions and refuses products above 2,000.
  return `(${group}{${min === max ? min : `${min},${max ?? ""}`}})`;
}

/**
 * The largest count of a repetition. llama.cpp expands repetitions: large ones take time, and from 2,000 on it refuses.
 */
export const MAX_REPEAT = 512;
