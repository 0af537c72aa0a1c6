import { clip } from "../../common/clip.js";
import { isObject } from "../../common/plain-object.js";
import { type JsonObject, join } from "../../schema/json.js";
import type { ChatMessage, ImageContent } from "../../types.js";
import { listAt, objectAt, ProviderFormatError, textAt } from "./expect.js";
import type { Losses } from "./losses.js";
import { textOf, textOfPart } from "./text.js";

type UserMessage = Extract<ChatMessage, { role: "user" }>;

/** The addresses that can be passed on, which excludes files on the provider's server. */
const ADDRESS = /^(?:https?:\/\/|data:image\/)/i;

/**
 * A user's message in an API's form: a text, or its images and its text. `image`: converts an image; returns undefined
 * after reporting an image that the API does not accept.
 */
export function userContent<Image, Text>(
  { content, images = [] }: UserMessage,
  path: string,
  losses: Losses,
  image: (image: ImageContent, path: string, losses: Losses) => Image | undefined,
  text: (text: string) => Text,
): string | (Image | Text)[] {
  const written = images.flatMap((one, i) => image(one, join(path, "images", i), losses) ?? []);
  if (written.length === 0) return content;
  return content === "" ? written : [...written, text(content)];
}

/** The base64 data of a `data:` address. */
export function imageData({ url }: ImageContent): { mediaType: string; data: string } | undefined {
  const [, mediaType, data] = /^data:(image\/[^;,]+)(?:;[^,]*)?;base64,(.*)$/is.exec(url) ?? [];
  return mediaType === undefined || data === undefined ? undefined : { mediaType: mediaType.toLowerCase(), data };
}

const details = ["auto", "low", "high"] as const;

/** The detail level of an image, in OpenAI's terms. */
export function openAIDetail(
  { detail }: ImageContent,
  path: string,
  losses: Losses,
): (typeof details)[number] | undefined {
  const known = details.find((one) => one === detail);
  if (known === undefined && detail !== undefined)
    losses.add(join(path, "detail"), "detail", `must be one of ${details.join(", ")} here: omitted`);
  return known;
}

/**
 * A user's message with a text or a list of parts as content. `keepsImages`: for vision models; otherwise images are
 * reported as lost.
 */
export function userMessage(content: unknown, path: string, losses: Losses, keepsImages: boolean): UserMessage {
  if (!keepsImages || !Array.isArray(content)) return { role: "user", content: textOf(content, "\n", path, losses) };
  const parts = new UserParts(path, losses);
  content.forEach((part: unknown, i) => {
    parts.add(part, join(path, i));
  });
  return parts.message() ?? { role: "user", content: "" };
}

/** Collects the parts of a user's message: its images, then its texts. */
export class UserParts {
  readonly #texts: string[] = [];
  readonly #images: ImageContent[] = [];

  /** `keepsImages`: as in {@link userMessage}. */
  constructor(
    private readonly path: string,
    private readonly losses: Losses,
    private readonly keepsImages = true,
  ) {}

  /** `readText`: the text of a part that is not an image. */
  add(part: unknown, path: string, readText = (given: unknown) => textOfPart(given, path, this.losses)): void {
    const image = this.keepsImages ? readImage(part, path, this.losses) : undefined;
    const text = image ? undefined : readText(part);
    if (text !== undefined) this.#texts.push(text);
    if (!image) return;
    if (this.#texts.length > 0) this.losses.add(path, "order", "moved before the text");
    this.#images.push(image);
  }

  addImages(images: readonly ImageContent[]): void {
    this.#images.push(...images);
  }

  /** The message; `undefined` if it has no content. */
  message(): UserMessage | undefined {
    const count = this.#texts.length;
    if (count > 1) this.losses.add(this.path, "parts", `a message is one text here: ${count} texts were joined`);
    if (count === 0 && this.#images.length === 0) return undefined;
    const content = this.#texts.join("\n");
    return { role: "user", content, ...(this.#images.length > 0 && { images: this.#images }) };
  }
}

/**
 * The content of a tool's result without its images, and these: a message of the user after the results has them, as a
 * result is text here. A note is left in the place of each.
 */
export function withoutImages(
  content: unknown,
  path: string,
  losses: Losses,
): { content: unknown; images: ImageContent[] } {
  const images: ImageContent[] = [];
  if (!Array.isArray(content)) return { content, images };
  const rest = content.map((part: unknown, i) => {
    const at = join(path, i);
    const image = readImage(part, at, losses);
    if (!image) return part;
    losses.add(at, "order", "moved to a message of the user, after the results");
    images.push(image);
    return { type: "text", text: "[image]" };
  });
  return { content: rest, images };
}

/** The images of a message in our own form. */
export const imagesAt = (given: unknown, path: string): { images?: ImageContent[] } =>
  given == null ? {} : { images: listAt(given, path).map((one, i) => readOwn(one, join(path, i))) };

function readOwn(given: unknown, path: string): ImageContent {
  const { url, detail } = objectAt(given, path, "an image: { url }");
  return imageOf(url, detail, join(path, "url"));
}

/** An image in any API's form; `undefined` if the part is not an image, or only the provider's server can read it. */
function readImage(part: unknown, path: string, losses: Losses): ImageContent | undefined {
  if (!isObject(part)) return undefined;
  const { type, image_url: given, source, detail, inlineData, fileData } = part;
  if (isObject(inlineData) && String(inlineData.mimeType).startsWith("image/")) {
    losses.rest(part, ["inlineData"], path);
    return inlineImage(inlineData, "mimeType", join(path, "inlineData"));
  }
  if (isObject(fileData) && isImageFile(fileData)) {
    losses.rest(part, ["fileData"], path);
    return imageOf(fileData.fileUri, undefined, join(path, "fileData", "fileUri"));
  }
  if (type === "image_url") {
    losses.rest(part, ["type", "image_url"], path);
    const at = join(path, "image_url");
    return isObject(given) ? imageOf(given.url, given.detail, join(at, "url")) : imageOf(given, undefined, at);
  }
  if (type === "input_image" && given != null) {
    losses.rest(part, ["type", "image_url", "detail"], path);
    // `auto` is the default, for APIs in which the field is required.
    return imageOf(given, detail === "auto" ? undefined : detail, join(path, "image_url"));
  }
  if (type !== "image" || !isObject(source)) return undefined;
  if (source.type !== "url" && source.type !== "base64") return undefined;
  losses.rest(part, ["type", "source"], path);
  const at = join(path, "source");
  return source.type === "url"
    ? imageOf(source.url, undefined, join(at, "url"))
    : inlineImage(source, "media_type", at);
}

/** An image in base64, under `data`. `typeKey`: the field with its media type. */
function inlineImage(given: JsonObject, typeKey: string, path: string): ImageContent {
  const expected = 'the type of an image, such as "image/png"';
  const mediaType = textAt(given[typeKey], join(path, typeKey), expected);
  if (!/^image\/[^;,\s]+$/i.test(mediaType)) throw new ProviderFormatError(join(path, typeKey), expected, mediaType);
  const data = textAt(given.data, join(path, "data"), "an image in base64");
  if (data === "") throw new ProviderFormatError(join(path, "data"), "an image in base64", data);
  return { url: `data:${mediaType};base64,${data}` };
}

/** Whether this is an image file that not only Google's server can read, as it can `gs://…` and files of its Files API. */
const isImageFile = ({ fileUri, mimeType }: { [key: string]: unknown }): boolean =>
  /^https?:\/\/(?!generativelanguage\.googleapis\.com\/)/i.test(String(fileUri)) &&
  (mimeType === undefined || String(mimeType).startsWith("image/"));

function imageOf(url: unknown, detail: unknown, path: string): ImageContent {
  const address = textAt(url, path, "the address of an image");
  if (!ADDRESS.test(address))
    throw new ProviderFormatError(
      path,
      "an address that begins with https://, http:// or data:image/",
      clip(address, 40),
    );
  return { url: address, ...(typeof detail === "string" && { detail }) };
}
