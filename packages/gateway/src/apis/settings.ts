import { didYouMean, isObject } from "@toolingua/core/adapters";
import type { Conversation, Converted, Loss, ProviderFormat, ProviderShapes } from "@toolingua/core/providers";
import { z } from "zod";
import { Failure } from "../failure.js";
import { mustBe } from "../must-be.js";
import { placeAt } from "../place.js";
import type { Api } from "./api.js";
import { isUnread, refuseUnread, unservedNames } from "./field-names.js";
import { misspelt, misspeltField, refuseMisspelt } from "./misspelt.js";
import { effort, templateVariables } from "./passed-fields.js";
import { refusedValue } from "./refused-value.js";
import { refuseChoice } from "./tool-choice.js";

// Settings of requests. Messages, tools and tool choice are read by the core's provider formats.

/** A number within a range, with an error like OpenAI's. */
const between = (least: number, most: number) => {
  const error = `must be a number from ${least} to ${most}`;
  return z.number({ error }).min(least, { error }).max(most, { error }).nullish();
};
/** The JSON Schema of an answer. */
const jsonSchema = z.record(z.string(), z.unknown(), { error: "must be a JSON Schema, an object" }).nullish();

const COUNT = "must be a whole number from 1";
const count = z
  .int({ error: COUNT })
  .superRefine((value, { addIssue }) => {
    // Zod's own check of a minimum does not tell whole numbers from others.
    if (value < 1) addIssue({ code: "too_small", origin: "int", minimum: 1, message: COUNT });
  })
  .nullish();

const NAME = "must be the name of a model";

/** Settings that all APIs have. */
export const sharedSettings = {
  model: z.string({ error: NAME }).min(1, { error: NAME }).max(256, { error: "must be at most 256 characters long" }),
  stream: z.boolean().nullish(),
  temperature: between(0, 2),
  top_p: between(0, 1),
  top_k: z.number().nullish(),
};

/** Settings that OpenAI's APIs have, with those of compatible servers. */
export const openaiSettings = {
  ...sharedSettings,
  frequency_penalty: between(-2, 2),
  presence_penalty: between(-2, 2),
  reasoning_effort: effort,
  chat_template_kwargs: templateVariables,
};

const ANSWERS: readonly string[] = ["text", "json_object", "json_schema"];

/** The type of an answer in OpenAI's APIs. */
export const answerType = z
  .string({ error: 'must be "text", "json_object" or "json_schema"' })
  .superRefine((value, { addIssue }) => {
    if (ANSWERS.includes(value)) return;
    const message = `there is no type ${JSON.stringify(value.slice(0, 100))}. ${didYouMean(value, ANSWERS)}`;
    addIssue({ code: "custom", message });
  });
export { count, jsonSchema };

/** An object with fields that are read, in which a misspelling of one is refused. */
export const named = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.looseObject(shape).superRefine((value, { addIssue }) => {
    const [name, problem] = misspeltField(value, Object.keys(shape)) ?? [];
    if (name === undefined) return;
    addIssue({ code: "custom", path: [name], message: problem, params: { code: "unknown_parameter" } });
  });

/** The messages of a request, not validated further: the provider formats read them. */
export const messageList = z
  .array(z.unknown(), { error: "must be a list of messages" })
  .min(1, { error: "needs at least one message" });

/** Matches the path of a part of a message or of a tool result. */
const PART = /\/(?:content|output|system)\/\d+$/;

/** Losses that are no reason to refuse: the part stays, or only the provider's server could read it. */
const KEPT = new Set([
  ...["order", "text", "refusal", "redacted_thinking", "tool_reference"],
  // Calls of tools that a provider runs, and their results if these are encrypted or about tools: the answer follows them.
  ...["server_tool_use", "mcp_tool_use", "web_search_tool_result", "tool_search_tool_result"],
]);

/** Losses of media: refused, except images for a model with vision. */
const MEDIA = new Set([
  ...["image_url", "image", "input_image", "computer_screenshot"],
  ...["input_audio", "audio", "video", "video_url", "file", "input_file", "document"],
]);

/**
 * Reads the settings of a request by their schema. `others`: the names of more fields that are read.
 *
 * Errors: {@link Failure} `invalid`, with the field.
 */
export function readSettings<Schema extends z.ZodObject>(
  api: Api["name"],
  schema: Schema,
  body: unknown,
  others: readonly string[],
): z.output<Schema> {
  if (isObject(body)) {
    refuseUnread(body, api);
    const rest = Object.entries(body).filter(([name]) => !isUnread(api, name));
    refuseMisspelt(Object.fromEntries(rest), [...Object.keys(schema.shape), ...unservedNames(api), ...others]);
  }
  const { data, error } = schema.safeParse(body, { error: mustBe });
  const issue = error?.issues[0];
  if (!issue) return data as z.output<Schema>;
  throw refusedValue(issue, body);
}

/**
 * Reads a conversation in a provider's format, and reports what is lost. `images`: the model accepts images.
 *
 * Errors: {@link Failure} `invalid` if a part of a message is lost, or if no tool can meet the tool choice; the errors of
 * `fromRequest`.
 */
export function readConversation(
  format: Pick<ProviderFormat<ProviderShapes>, "fromRequest">,
  request: object,
  images: boolean,
): Converted<Conversation> {
  const read = format.fromRequest(request, { images });
  for (const { path, meant } of read.losses) if (meant !== undefined) throw misspelt(placeAt(path), meant);
  refuseLost(read.losses, images);
  refuseChoice(read.value, request);
  return read;
}

/** Refuses content that the model cannot be shown: the model would answer as if the content were absent. */
function refuseLost(losses: readonly Loss[], sees: boolean): void {
  const seen = losses.find(({ path, what }) => MEDIA.has(what) || (PART.test(path) && !KEPT.has(what)));
  if (!seen) return;
  const reads = sees ? "text, and images of users" : "text only (images, if `vision` is set for it)";
  throw new Failure(
    "invalid",
    `This model reads ${reads}: there is content of the type "${seen.what.slice(0, 100)}".`,
    {
      code: "unsupported_content",
      param: placeAt(seen.path),
    },
  );
}
