import { textOfBytes } from "../common/text-bytes.js";

/** Media types of text (https://www.iana.org/assignments/media-types), with those of common data and source formats. */
const TEXT =
  /^(?:text\/|[\w.-]+\/(?:[\w.+-]+\+)?(?:json|xml|x?html|(?:x-)?yaml|toml|sql|(?:x-)?(?:java|type)script)(?:;|$))/i;

/**
 * The text of a file, if its media type is one of text and its data is here: bytes, base64 or a data URL. Undefined for other
 * files, and for an address. Providers put the text of such files into the prompt as it is; an adapter that writes it into the
 * message instead has it escaped, and calls that are copied from it are text. For adapters.
 *
 * @example textOfFile("text/plain", "SGk="); // "Hi"
 */
export function textOfFile(mediaType: string, data: unknown): string | undefined {
  if (!TEXT.test(mediaType)) return undefined;
  if (data instanceof Uint8Array) return textOfBytes(data);
  if (data instanceof ArrayBuffer) return textOfBytes(new Uint8Array(data));
  const written = data instanceof URL ? data.href : data;
  return typeof written === "string" ? ofText(written) : undefined;
}

function ofText(data: string): string | undefined {
  const [head, parameters] = /^data:([^,]*),/i.exec(data) ?? [];
  try {
    if (head === undefined) return decoded(data);
    const content = decodeURIComponent(data.slice(head.length));
    return /;\s*base64$/i.test(parameters ?? "") ? decoded(content) : content;
  } catch {
    return undefined;
  }
}

/** Errors: `DOMException` if this is not base64. */
function decoded(base64: string): string {
  const characters = atob(base64.replaceAll("-", "+").replaceAll("_", "/"));
  // `Uint8Array.from` with a function takes fifty times as long.
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return textOfBytes(bytes);
}
