import { byteAlphabet } from "@toolingua/core/adapters";
import type { Vocabulary } from "./vocabulary.js";

/**
 * The bytes that a token stands for, as a string with one character for each byte. A token of a byte-level vocabulary
 * that is not spelled in its alphabet is plain text, as added tokens are.
 *
 * @example tokenBytes("Ġé", "byte_level"); // " \xe9"
 */
export function tokenBytes(token: string, type: Vocabulary["type"]): string {
  if (type === "byte_level") {
    let bytes = "";
    for (let at = 0; at < token.length; at++) {
      const byte = BYTE_LEVEL.get(token.charCodeAt(at));
      if (byte === undefined) return utf8(token);
      bytes += byte;
    }
    return bytes;
  }
  if (type === "raw") return utf8(token);
  const byte = /^<0x([0-9a-fA-F]{2})>$/.exec(token)?.[1];
  return byte === undefined ? utf8(token.replaceAll("▁", " ")) : String.fromCharCode(Number.parseInt(byte, 16));
}

const encoder = new TextEncoder();
const ASCII = /^[\0-\x7f]*$/;

function utf8(text: string): string {
  if (ASCII.test(text)) return text;
  let bytes = "";
  // A long token as the arguments of one call would overflow the stack.
  for (const byte of encoder.encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

/** Of each character of GPT-2's alphabet its byte, as a character. */
const BYTE_LEVEL: ReadonlyMap<number, string> = new Map(
  byteAlphabet.map((character, byte) => [character.charCodeAt(0), String.fromCharCode(byte)]),
);
