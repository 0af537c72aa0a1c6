import { EndpointError } from "./errors.js";

/** A value shorter than this is no secret, and would be found in any text. */
const SHORTEST = 4;

/** What says how a secret is given is none. */
const SCHEME = /^(?:bearer|basic|token|digest)$/i;

/** How many times longer an escaped spelling can be than the value itself. */
const ESCAPED = 12;

/** Keeps keys out of errors: servers like to repeat the key that they refuse. */
export class Secrets {
  readonly #values: readonly Spellings[];
  /** How many characters a value has at most, in its longest spelling. */
  readonly longest: number;

  /** `query`: that of the address. All of its values are secrets: its names say little of which are. */
  constructor(key: string | undefined, headers: Readonly<Record<string, string>> = {}, query?: URLSearchParams) {
    const secret = Object.entries(headers).filter(([name]) => /auth|key|token|secret|cookie|password/i.test(name));
    const values = [
      key ?? "",
      ...(query?.values() ?? []),
      ...secret.flatMap(([, value]) => [value, ...value.split(/\s+/)]),
    ]
      .filter((value) => value.length >= SHORTEST && !SCHEME.test(value))
      // The longest first: one may hold another.
      .sort((a, b) => b.length - a.length);
    this.#values = values.map(spellingsOf);
    this.longest = (values[0]?.length ?? 0) * ESCAPED;
  }

  /** The text without them, however JSON or an address escapes them. */
  hide(text: string): string {
    return this.#values.reduce((hidden, { whole }) => hidden.replace(whole, "***"), text);
  }

  /** The same for a text that was cut: the beginning of a secret at its end goes too. */
  hideCut(text: string): string {
    const hidden = this.hide(text);
    for (let at = Math.max(0, hidden.length - this.longest); at < hidden.length; at++) {
      if (this.#values.some(({ parts }) => isCut(parts, hidden, at))) return `${hidden.slice(0, at)}***`;
    }
    return hidden;
  }

  /** The error without them. */
  hideIn(error: EndpointError): EndpointError {
    const { code, message, status, body, retryAfter, cause, partialText } = error;
    const words = body === undefined ? undefined : this.hide(body);
    return new EndpointError(code, this.hide(message), { status, body: words, retryAfter, cause, partialText });
  }
}

/** Matches a value as it is, and as JSON (also JSON within JSON) or an address may spell it: `\/`, `\u002b`, `%2B`. */
interface Spellings {
  whole: RegExp;
  /** Its characters, one after the other. */
  parts: readonly RegExp[];
}

function spellingsOf(value: string): Spellings {
  const parts = (value.match(/\\+|[^\\]/gu) ?? []).map(anySpellingOf);
  return { whole: new RegExp(parts.join(""), "g"), parts: parts.map((part) => new RegExp(part, "y")) };
}

/** Whether the text ends in the middle of a secret that begins here, which may be in the middle of an escape. */
function isCut(parts: readonly RegExp[], text: string, begin: number): boolean {
  let at = begin;
  for (const [i, part] of parts.entries()) {
    if (at === text.length) return i >= SHORTEST;
    part.lastIndex = at;
    if (!part.test(text))
      return i >= SHORTEST && /^(?:\\+(?:u[\da-f]{0,3})?|(?:%[\da-f]{2})*%[\da-f]?)$/i.test(text.slice(at));
    at = part.lastIndex;
  }
  return false;
}

function anySpellingOf(part: string): string {
  // A run of backslashes has at least as many of them in JSON.
  if (part.startsWith("\\")) return `(?:\\\\{${part.length},}|(?:\\\\*u005[cC]|%5[cC]){${part.length}})`;
  const units = Array.from({ length: part.length }, (_, i) => hex(part.charCodeAt(i), 4));
  const bytes = [...new TextEncoder().encode(part)].map((byte) => hex(byte, 2));
  const spellings = [
    `\\\\*${part.replace(/[\^$.*+?()[\]{}|/]/, "\\$&")}`,
    units.map((unit) => `\\\\+u${unit}`).join(""),
    bytes.map((byte) => `%${byte}`).join(""),
    ...(part === " " ? ["\\+"] : []),
  ];
  return `(?:${spellings.join("|")})`;
}

/** A number as a pattern of hexadecimal digits, in either case. */
const hex = (value: number, digits: number): string =>
  value
    .toString(16)
    .padStart(digits, "0")
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
