/**
 * Decodes the bytes of a text: UTF-8, or UTF-16 if it begins with a byte order mark that says so, as PowerShell and Notepad
 * write it. The mark is left out.
 *
 * @example new TextBytes().decode(Buffer.from("fffe4800", "hex")); // "H"
 */
export class TextBytes {
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  /** A first byte that may be half of a mark. */
  #start: Uint8Array = new Uint8Array();

  /** The text of the next bytes; without any, that of the bytes that are left. */
  decode(bytes?: Uint8Array): string {
    if (this.#decoder) return bytes ? this.#decoder.decode(bytes, { stream: true }) : this.#decoder.decode();
    this.#start = bytes ? Buffer.concat([this.#start, bytes]) : this.#start;
    if (bytes && this.#start.length < 2 && (this.#start[0] ?? HALF) >= HALF) return "";
    this.#decoder = new TextDecoder(encodingOf(this.#start));
    return this.#decoder.decode(this.#start, { stream: bytes !== undefined });
  }
}

/** From here on, a byte is half of a mark. */
const HALF = 0xfe;

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
