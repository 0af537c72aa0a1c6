import { isObject } from "../plain-object.js";
import { join } from "../schema/json.js";
import type { ChatMessage, ImageContent } from "../types.js";
import { listAt, objectAt, ProviderFormatError, textAt } from "./expect.js";
import type { Losses } from "./losses.js";
import { textOf, textOfPart } from "./text.js";

type UserMessage = Extract<ChatMessage, { role: "user" }>;

/** What can be sent on: nothing that names a file of the model's server. */
const ADDRESS = /^(?:https?:\/\/|data:image\/)/i;

/**
 * A user's message, whose content is a text or a list of parts. `keepsImages`: for a model that sees; else images are reported as lost.
 */
export function userMessage(content: unknown, path: string, losses: Losses, keepsImages: boolean): UserMessage {
  if (!keepsImages || !Array.isArray(content)) return { role: "user", content: textOf(content, "\n", path, losses) };
  const parts = new UserParts(path, losses);
  content.forEach((part: unknown, i) => {
    parts.add(part, join(path, i));
  });
  return parts.message() ?? { role: "user", content: "" };
}

/** Puts the parts of a user's message together: its images, then its texts. */
export class UserParts {
  readonly #texts: string[] = [];
  readonly #images: ImageContent[] = [];

  /** `keepsImages`: as in {@link userMessage}. */
  constructor(
    private readonly path: string,
    private readonly losses: Losses,
    private readonly keepsImages = true,
  ) {}

  add(part: unknown, path: string): void {
    const image = this.keepsImages ? readImage(part, path, this.losses) : undefined;
    const text = image ? undefined : textOfPart(part, path, this.losses);
    if (text !== undefined) this.#texts.push(text);
    if (!image) return;
    if (this.#texts.length > 0) this.losses.add(path, "order", "images stand before the text here");
    this.#images.push(image);
  }

  /** The message; `undefined` where nothing was added that stays. */
  message(): UserMessage | undefined {
    const count = this.#texts.length;
    if (count > 1) this.losses.add(this.path, "parts", `a message is one text here: ${count} texts were joined`);
    if (count === 0 && this.#images.length === 0) return undefined;
    const content = this.#texts.join("\n");
    return { role: "user", content, ...(this.#images.length > 0 && { images: this.#images }) };
  }
}

/** The images of a message in our own form. */
export const imagesAt = (given: unknown, path: string): { images?: ImageContent[] } =>
  given == null ? {} : { images: listAt(given, path).map((one, i) => readOwn(one, join(path, i))) };

function readOwn(given: unknown, path: string): ImageContent {
  const { url, detail } = objectAt(given, path, "an image: { url }");
  return imageOf(url, detail, join(path, "url"));
}

/** An image in the form of any of the APIs; `undefined` where the part is none, or is known only to the provider's server. */
function readImage(part: unknown, path: string, losses: Losses): ImageContent | undefined {
  if (!isObject(part)) return undefined;
  const { type, image_url: given, source, detail } = part;
  if (type === "image_url") {
    losses.rest(part, ["type", "image_url"], path);
    const { url, ...rest } = isObject(given) ? given : { url: given };
    return imageOf(url, rest.detail, join(path, "image_url"));
  }
  if (type === "input_image" && given != null) {
    losses.rest(part, ["type", "image_url", "detail"], path);
    return imageOf(given, detail, join(path, "image_url"));
  }
  if (type !== "image" || !isObject(source)) return undefined;
  const { type: kind, url, media_type: mediaType, data } = source;
  if (kind !== "url" && kind !== "base64") return undefined;
  losses.rest(part, ["type", "source"], path);
  return imageOf(kind === "url" ? url : `data:${mediaType};base64,${data}`, undefined, join(path, "source"));
}

function imageOf(url: unknown, detail: unknown, path: string): ImageContent {
  const address = textAt(url, path, "the address of an image");
  if (!ADDRESS.test(address))
    throw new ProviderFormatError(
      path,
      "an address that begins with https://, http:// or data:image/",
      address.slice(0, 40),
    );
  return { url: address, ...(typeof detail === "string" && { detail }) };
}
