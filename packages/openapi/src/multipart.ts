/** One part of a form. A server treats a part with a `filename` as a file, and one without as a field. */
export interface FormPart {
  name: string;
  content: string | Uint8Array;
  type?: string | undefined;
  filename?: string | undefined;
}

/**
 * Writes a `multipart/form-data` body (https://www.rfc-editor.org/rfc/rfc7578), with the boundary in its content type.
 * `FormData` is not sufficient: it turns a field with a content type, such as a JSON part, into a file.
 *
 * @example
 * multipart([{ name: "note", content: '{"a":1}', type: "application/json" }]).contentType; // "multipart/form-data; boundary=…"
 */
export function multipart(
  parts: readonly FormPart[],
  mediaType = "multipart/form-data",
): { body: Uint8Array<ArrayBuffer>; contentType: string } {
  const boundary = `form-${crypto.randomUUID()}`;
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  const write = (piece: string | Uint8Array) => pieces.push(typeof piece === "string" ? encoder.encode(piece) : piece);
  for (const { name, content, type, filename } of parts) {
    const file = filename === undefined ? "" : `; filename="${quoted(filename)}"`;
    write(`--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"${file}\r\n`);
    if (type !== undefined) write(`content-type: ${type.replace(/[\r\n]+/g, " ")}\r\n`);
    write("\r\n");
    write(content);
    write("\r\n");
  }
  write(`--${boundary}--\r\n`);
  const body = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    body.set(piece, at);
    at += piece.length;
  }
  return { body, contentType: `${mediaType}; boundary=${boundary}` };
}

/** Escapes names like browsers (https://html.spec.whatwg.org/#multipart-form-data). */
const quoted = (text: string) => text.replace(/\r\n|\r|\n/g, "%0D%0A").replaceAll('"', "%22");
