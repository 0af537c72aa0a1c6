import { base64Of, isObject, jsonPointer, keptJson, type Losses, listAt, objectAt } from "@toolingua/core/adapters";
import type { PmlAttachment, PmlCall, PmlPart } from "../tree.js";
import { imageOf, madeCall } from "./messages.js";
import { loseRest, wordOf } from "./values.js";
import { writableText } from "./writable-text.js";

/**
 * Reads the parts of a message's content in the forms of frameworks: a string, or a list of text, reasoning, images and
 * files as in OpenAI, Anthropic, LangChain's standard blocks, LlamaIndex and the AI SDK. Reports other parts as lost.
 *
 * `called` has the ids of the calls that an assistant's message keeps beside its content: calls in the content are read
 * unless they are among them. Without it, in messages of others, a call is a loss.
 */
export function contentParts(content: unknown, path: string, losses: Losses, called?: ReadonlySet<unknown>): PmlPart[] {
  if (content == null || content === "") return [];
  if (typeof content === "string") return [{ type: "text", text: writableText(content, path, losses) }];
  return listAt(content, path, "a text or a list of parts").flatMap((part, i) => {
    const at = jsonPointer(path, i);
    if (typeof part === "string") return part === "" ? [] : [{ type: "text", text: writableText(part, at, losses) }];
    return onePart(objectAt(part, at), at, losses, called);
  });
}

function onePart(
  part: Record<string, unknown>,
  path: string,
  losses: Losses,
  called: ReadonlySet<unknown> | undefined,
): PmlPart[] {
  const text = (value: unknown) => (typeof value === "string" ? writableText(value, path, losses) : undefined);
  switch (part.type) {
    case "text":
    case "input_text":
    case "output_text": {
      const said = text(part.text);
      loseRest(part, ["type", "text"], path, losses);
      return said ? [{ type: "text", text: said }] : [];
    }
    case "reasoning":
    case "thinking": {
      const thought = text(part.reasoning ?? part.thinking ?? part.text);
      const signature = text(part.signature);
      loseRest(part, ["type", "reasoning", "thinking", "text", "signature"], path, losses);
      return thought ? [{ type: "thinking", ...(signature !== undefined && { signature }), text: thought }] : [];
    }
    case "image":
    case "image_url":
    case "file":
    case "audio":
    case "video":
    case "input_image":
    case "document": {
      const attachment = media(part, path, losses);
      if (attachment) return [attachment];
      break;
    }
    case "tool_use":
    case "tool_call":
    case "tool-call": {
      if (called?.has(part.id ?? part.toolCallId)) return [];
      const call = called && callIn(part, path, losses);
      if (call) return [call];
      break;
    }
  }
  losses.add(path, wordOf(part.type), "is not a text, thought, image, file or call that is known here");
  return [];
}

/** The ids of calls, some of which can be anything. */
export const idsOf = (calls: readonly unknown[]): Set<unknown> =>
  new Set(calls.flatMap((call) => (isObject(call) && call.id != null ? [call.id] : [])));

/** A call in any form of its fields. `undefined` for one that is incomplete, as in a stream. */
function callIn(part: Record<string, unknown>, path: string, losses: Losses): PmlCall | undefined {
  const { id = part.toolCallId, name = part.toolName, input = part.args ?? part.arguments } = part;
  const unkept = (digits: string) =>
    losses.add(path, digits, "has more digits than a number keeps: it became the string of its digits");
  const args = typeof input === "string" ? keptJson(input, unkept) : (input ?? {});
  if (typeof name !== "string" || (id != null && typeof id !== "string") || !isObject(args)) return undefined;
  loseRest(part, CALL, path, losses);
  return madeCall(id, name, args, path, losses);
}

const CALL = ["type", "id", "toolCallId", "name", "toolName", "input", "args", "arguments"];

/** An image or a file, in any form of its address or data. */
function media(part: Record<string, unknown>, path: string, losses: Losses): PmlAttachment | undefined {
  const type = wordOf(part.type);
  loseRest(part, MEDIA, path, losses);
  const source = isObject(part.source) ? part.source : {};
  loseRest(source, ["type", "media_type", "data", "url"], jsonPointer(path, "source"), losses);
  const image = isObject(part.image_url) ? part.image_url : {};
  loseRest(image, ["url", "detail"], jsonPointer(path, "image_url"), losses);
  const kind = /^(?:image|input_image)/.test(type) ? "image" : type === "document" ? "doc" : type;
  const [mime] = [part.mediaType, part.mimeType, part.mime_type, part.media_type, source.media_type]
    .filter(isText)
    .map((one) => writableText(one, path, losses));
  const [name] = [part.filename, part.title].filter(isText);
  const given = [part.image, part.url, part.image_url, image.url, source.url, part.data, part.file, source.data];
  const value = given.find((one) => isText(one) || one instanceof URL || one instanceof Uint8Array);
  const named = name === undefined ? {} : { name: writableText(name, path, losses) };
  const detail = [image.detail, part.detail]
    .filter(isText)
    .map((one) => ({ attributes: { detail: writableText(one, path, losses) } }))[0];
  const more = { ...named, ...detail };
  if (value instanceof Uint8Array) {
    return {
      type: "attachment",
      kind,
      ...more,
      ...(mime !== undefined && { mime }),
      encoding: "base64",
      content: base64Of(value),
    };
  }
  if (value === undefined) return undefined;
  const address = writableText(String(value), path, losses);
  if (/^[a-z][a-z0-9+.-]*:/i.test(address)) {
    const own = kind === "image" ? imageOf(address) : { type: "attachment" as const, kind, url: address };
    return { ...own, ...more, ...(mime !== undefined && own.mime === undefined && { mime }) };
  }
  const isPlainText = source.type === "text";
  return {
    ...{ type: "attachment", kind, ...more },
    ...(mime !== undefined && { mime }),
    ...(!isPlainText && { encoding: "base64" as const }),
    content: address,
  };
}

/** All fields of images and files. */
const MEDIA = [
  ...["type", "source", "source_type", "image", "image_url", "url", "data", "file", "detail"],
  ...["mediaType", "mimeType", "mime_type", "media_type", "filename", "title"],
];

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** The parts of a result: one text, and attachments. */
export function textOfParts(
  parts: readonly PmlPart[],
  path: string,
  losses: Losses,
): { text: string; attachments?: PmlAttachment[] } {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const attachments = parts.flatMap((part) => (part.type === "attachment" ? [part] : []));
  if (texts.length > 1) losses.add(path, "parts", `a result has one text: ${texts.length} were joined`);
  if (texts.length + attachments.length < parts.length) losses.add(path, "parts", "some are not a part of a result");
  return { text: texts.join("\n"), ...(attachments.length > 0 && { attachments }) };
}
