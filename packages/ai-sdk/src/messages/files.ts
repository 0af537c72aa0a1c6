import { escapeText } from "@toolingua/core";
import { isObject, textOfFile } from "@toolingua/core/adapters";
import type { FilePart } from "../sdk.js";

/** What a prompt calls a file: its name, if it has one, and its type. */
export const fileLabel = ({ filename, mediaType }: FilePart): string =>
  `file: ${filename ? `${filename}, ` : ""}${mediaType}`;

/** A file whose name, which the provider may put into the prompt, contains no marker. */
export const withEscapedName = (file: FilePart): FilePart =>
  file.filename === undefined ? file : { ...file, filename: escapeText(file.filename) };

/**
 * A file of text as the message shows it, after its label: providers would put its text into the prompt unescaped. Undefined
 * for other files, and for an address.
 */
export function textOfFilePart(file: FilePart): string | undefined {
  const { data, mediaType }: { data: unknown; mediaType: string } = file;
  const text = isTagged(data)
    ? typeof data.text === "string"
      ? data.text
      : textOfFile(mediaType, data.data ?? data.url)
    : textOfFile(mediaType, data);
  return text === undefined ? undefined : `[${fileLabel(file)}]\n${text}`;
}

/** The data of a file as text: base64 or an address. */
export function dataText(data: unknown): string {
  if (typeof data === "string") return data;
  if (data instanceof URL) return data.href;
  if (data instanceof Uint8Array) return btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(""));
  return isTagged(data) ? dataText(data.data ?? data.url ?? data.text ?? "") : "";
}

/** Whether data has the form of version 4: an object that names its source. */
const isTagged = (data: unknown): data is Record<string, unknown> =>
  isObject(data) && !(data instanceof Uint8Array) && !(data instanceof URL);
