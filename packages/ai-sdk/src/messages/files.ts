import { base64Of, isObject, type MessageFile, shownTextFile } from "@toolingua/core/adapters";
import type { FilePart } from "../sdk.js";

/** A file in the terms of core. Its text is known only in version 4. */
export function messageFile({ filename: name, mediaType, data }: FilePart): MessageFile {
  const given: unknown = data;
  if (!isTagged(given)) return { name, mediaType, data: given };
  return {
    name,
    mediaType,
    data: given.data ?? given.url,
    ...(typeof given.text === "string" && { text: given.text }),
  };
}

/**
 * A file of text as the message shows it, after its label: providers would put its text into the prompt unescaped. Undefined
 * for other files, and for an address.
 */
export const textOfFilePart = (file: FilePart): string | undefined => shownTextFile(messageFile(file));

/** The data of a file as text: base64 or an address. */
export function dataText(data: unknown): string {
  if (typeof data === "string") return data;
  if (data instanceof URL) return data.href;
  if (data instanceof Uint8Array) return base64Of(data);
  return isTagged(data) ? dataText(data.data ?? data.url ?? data.text ?? "") : "";
}

/** Whether data has the form of version 4: an object that names its source. */
const isTagged = (data: unknown): data is Record<string, unknown> => isObject(data) && typeof data.type === "string";
