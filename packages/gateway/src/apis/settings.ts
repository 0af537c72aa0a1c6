import type { Converted, Loss, ProviderFormat, ProviderShapes, ReadConversation } from "@toolingua/core/providers";
import { z } from "zod";
import { Failure } from "../failure.js";

// The settings of requests: what is not messages, tools and tool choice, which the provider formats of the core read.

/** A number of a range, as OpenAI's APIs have it. */
const between = (least: number, most: number) => {
  const error = `is a number from ${least} to ${most}`;
  return z.number({ error }).min(least, { error }).max(most, { error }).nullish();
};
/** The schema of an answer. */
const jsonSchema = z.record(z.string(), z.unknown(), { error: "is a JSON Schema, an object" }).nullish();
const count = z.int().min(1).nullish();

/** What the APIs have in common. */
export const sharedSettings = {
  model: z.string({ error: "is the name of a model" }).min(1).max(256, { error: "is at most 256 characters long" }),
  stream: z.boolean().nullish(),
  temperature: between(0, 2),
  top_p: between(0, 1),
  top_k: z.number().nullish(),
};
export { between, count, jsonSchema };

/** The messages of a request, which the provider formats read. */
export const messageList = z
  .array(z.unknown(), { error: "is a list of messages" })
  .min(1, { error: "needs at least one message" });

/** A part of a message, or of what a tool gave. */
const PART = /\/(?:content|output|system)\/\d+$/;

/** What is said of parts that stay, and what only the provider's server can read. */
const KEPT = new Set(["order", "text", "refusal", "redacted_thinking"]);

/** What is lost elsewhere too, where it is no text, and no image for a model that sees. */
const MEDIA = new Set([
  ...["image_url", "image", "input_image", "computer_screenshot"],
  ...["input_audio", "audio", "video", "video_url", "file", "input_file", "document"],
]);

/**
 * The settings of a request, by their schema.
 *
 * Errors: {@link Failure} `invalid`, with the field.
 */
export function readSettings<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(body);
  const issue = error?.issues[0];
  if (!issue) return data as z.output<Schema>;
  const param = issue.path.map(String).join(".");
  throw new Failure("invalid", `${param === "" ? "The body" : `\`${param}\``}: ${issue.message}.`, {
    param: param === "" ? undefined : param,
    code: "invalid_type",
  });
}

/**
 * The conversation of a request in a provider's format, and what is lost of it. `images`: the model sees them.
 *
 * Errors: {@link Failure} `invalid` where a part of a message is lost; those of `fromRequest`.
 */
export function readConversation(
  format: Pick<ProviderFormat<ProviderShapes>, "fromRequest">,
  request: object,
  images: boolean,
): Converted<ReadConversation> {
  const read = format.fromRequest(request, { images });
  refuseLost(read.losses, images);
  return read;
}

/** Refuses what the model cannot be shown: it would answer as if there was nothing. */
function refuseLost(losses: readonly Loss[], sees: boolean): void {
  const seen = losses.find(({ path, what }) => MEDIA.has(what) || (PART.test(path) && !KEPT.has(what)));
  if (!seen) return;
  throw new Failure(
    "invalid",
    `This model reads ${sees ? "text, and images of users" : "text only"}: there is content of the type "${seen.what.slice(0, 100)}".`,
    {
      code: "unsupported_content",
      param: seen.path.slice(1).replaceAll("/", "."),
    },
  );
}

/** Those of the fields that the request gives, for the upstream. */
export function given(body: Record<string, unknown>, ...names: string[]): Record<string, unknown> | undefined {
  const fields = names.flatMap((name) => (body[name] == null ? [] : [[name, body[name]] as const]));
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}
