import type { ChatMessage } from "@toolingua/core";
import { contentOf, fileLabel, isObject, withEscapedTexts } from "@toolingua/core/adapters";
import type { FilePart, Message } from "../sdk.js";
import type { Marks } from "./attachments.js";
import { dataText, messageFile, textOfFilePart } from "./files.js";

type ResultPart = Extract<Extract<Message, { role: "tool" }>["content"][number], { type: "tool-result" }>;

/** The context for rendering the results of a conversation. */
export interface ResultContext {
  marks: Marks;
  resultMedia: "placeholder" | "model" | "text";
  /** The names and texts in the files of the message that is rendered, which the model sees, too. */
  fileTexts: string[];
  /** The feedback for calls that were reported as invalid, by id. */
  feedback: Map<string, string> | undefined;
  /** The messages that show such feedback. */
  feedbackMessages: Set<ChatMessage> | undefined;
}

/** A result as a message. The SDK's text about an invalid call is replaced by Toolingua's feedback. */
export function resultMessage(part: ResultPart, context: ResultContext): Extract<ChatMessage, { role: "tool" }> {
  const { toolCallId, toolName: name, output } = part;
  const about = { role: "tool" as const, toolCallId, name };
  switch (output.type) {
    case "text":
      return { ...about, content: output.value };
    case "json":
      return { ...about, content: jsonText(output.value) };
    case "error-text":
      return { ...about, content: context.feedback?.get(toolCallId) ?? output.value, isError: true };
    case "error-json":
      return { ...about, content: jsonText(output.value), isError: true };
    case "execution-denied": {
      const why = output.reason ? ` Reason: ${output.reason}` : "";
      return { ...about, content: `The call was denied and did not run.${why}`, isError: true };
    }
    case "content":
      return { ...about, content: output.value.map((each) => contentText(each, context)).join("\n") };
    default:
      return { ...about, content: JSON.stringify(output) };
  }
}

/** A value as JSON. A tool may return what JSON lacks, such as a map, which the SDK passes on as it is. */
const jsonText = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value) : contentOf(value === undefined ? null : value);

function contentText(part: object, { marks, resultMedia, fileTexts }: ResultContext): string {
  if ("text" in part && typeof part.text === "string" && "type" in part && part.type === "text") return part.text;
  const file = fileOf(part);
  if (!file) return JSON.stringify(part);
  const label = fileLabel(messageFile(file));
  if (resultMedia === "placeholder" || file.data === "") return `[${label}, not shown]`;
  const text = textOfFilePart(file);
  if (text !== undefined) return text;
  if (resultMedia === "model") return marks.mark({ kind: "part", part: withEscapedTexts(file, fileTexts) });
  const data = dataText(file.data);
  return data === "" ? `[${label}, not shown]` : `[${label}]\n${data}`;
}

/**
 * A part of a result as a file of a prompt: in version 3 there is a type for each source of data, in version 4 only
 * `file`.
 */
function fileOf(part: object): FilePart | undefined {
  const { type, data, url, mediaType, filename, providerOptions }: Record<string, unknown> = { ...part };
  if (typeof type !== "string" || !/^(?:file|image|media)/.test(type)) return undefined;
  const isImage = type.startsWith("image");
  const about = {
    type: "file" as const,
    mediaType: typeof mediaType === "string" ? mediaType : isImage ? "image/*" : "application/octet-stream",
    ...(typeof filename === "string" && { filename }),
    ...(isOptions(providerOptions) && { providerOptions }),
  };
  if (typeof url === "string" && URL.canParse(url)) return { ...about, data: new URL(url) };
  // Of some files, only the provider's id is known.
  return { ...about, data: isData(data) ? data : "" };
}

const isOptions = (value: unknown): value is NonNullable<FilePart["providerOptions"]> => isObject(value);

/** Whether a value is the data of a file: base64 text, bytes, an address, or version 4's tagged object. */
const isData = (value: unknown): value is FilePart["data"] =>
  typeof value === "string" || (typeof value === "object" && value !== null);
