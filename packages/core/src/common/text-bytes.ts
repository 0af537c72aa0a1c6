/**
 * Decodes the bytes of a text: UTF-8, or UTF-16 if it begins with a byte order mark that says so, as PowerShell and Notepad
 * write it. The mark is left out.
 *
 * @example new TextBytes().decode(Uint8Array.of(0xff, 0xfe, 0x48, 0x00)); // "H"
 */
export class TextBytes {
  #decoder: TextDecoder | undefined;
  /** The first byte, if it may be half of a mark. */
  #half: number | undefined;

  /** The text of the next bytes; without any, that of the bytes that are left. */
  decode(bytes?: Uint8Array): string {
    if (this.#decoder) return bytes ? this.#decoder.decode(bytes, { stream: true }) : this.#decoder.decode();
    const start = withHalf(this.#half, bytes ?? new Uint8Array());
    const [first = HALF] = start;
    if (bytes && start.length < 2 && first >= HALF) {
      this.#half = start[0];
      return "";
    }
    this.#decoder = new TextDecoder(encodingOf(start));
    return this.#decoder.decode(start, { stream: bytes !== undefined });
  }
}

/** The bytes after the first half of a mark, if there is one. */
function withHalf(half: number | undefined, bytes: Uint8Array): Uint8Array {
  if (half === undefined) return bytes;
  const joined = new Uint8Array(bytes.length + 1);
  joined[0] = half;
  joined.set(bytes, 1);
  return joined;
}

/**
 * The text of all of its bytes, as {@link TextBytes} decodes them.
 *
 * @example textOfBytes(await readFile("api.yaml"));
 */
export function textOfBytes(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/**
 * The encoding of a text by its byte order mark: UTF-8 if it has none.
 *
 * @example encodingOf(Uint8Array.of(0xfe, 0xff)); // "utf-16be"
 */
export const encodingOf = (bytes: Uint8Array): Encoding => markedEncoding(bytes) ?? "utf-8";

/** The encoding that a byte order mark names, if there is one. */
export function markedEncoding([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb && third === 0xbf ? "utf-8" : undefined;
}

/** From here on, a byte is half of a mark. */
const HALF = 0xfe;
