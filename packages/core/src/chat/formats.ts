import { checkArgument } from "../check-argument.js";
import type { ChatFormat } from "./chat-format.js";
import { ChatFormatError } from "./chat-format.js";
import { plainChatml, qwen3, qwen25 } from "./chatml.js";
import { gemma } from "./gemma.js";
import { llama3, llama31Format, llama32Format } from "./llama3.js";
import { mistralV1, mistralV3, mistralV3Tekken, mistralV7Tekken, mistralV11, mistralV13 } from "./mistral.js";

/**
 * The chat formats that need no template of the model, by name.
 *
 * @example renderChatPrompt({ format: chatFormats.gemma, messages: [{ role: "user", content: "Hi" }] }).prompt;
 */
export const chatFormats = {
  chatml: plainChatml,
  "qwen2.5": qwen25,
  qwen3,
  llama3,
  "llama3.1": llama31Format,
  "llama3.2": llama32Format,
  gemma,
  "mistral-v1": mistralV1,
  "mistral-v3": mistralV3,
  "mistral-v3-tekken": mistralV3Tekken,
  "mistral-v7-tekken": mistralV7Tekken,
  "mistral-v11": mistralV11,
  "mistral-v13": mistralV13,
} as const satisfies Record<string, ChatFormat>;

/** The name of a chat format that needs no template of the model. */
export type ChatFormatName = keyof typeof chatFormats;

/**
 * Looks up a chat format by name; returns a format as it is.
 *
 * Errors: {@link ChatFormatError} with code `unknown-format`.
 *
 * @example getChatFormat("chatml").stop; // ["<|im_end|>"]
 */
export function getChatFormat(format: ChatFormatName | ChatFormat): ChatFormat {
  if (typeof format !== "string") {
    checkArgument("format", "object", format, "the name of a chat format, or one that was created before");
    checkArgument("format.render", "function", format.render);
    return format;
  }
  if (Object.hasOwn(chatFormats, format)) return chatFormats[format];
  const names = Object.keys(chatFormats).join(", ");
  throw new ChatFormatError("unknown-format", `There is no chat format "${format}". There are: ${names}.`);
}

/**
 * Model families by patterns in their names; the first match counts. A finetune with another template comes before its
 * base model: `undefined` means that its own template is needed.
 */
const families: [RegExp, ChatFormatName | undefined][] = [
  [/hermes|dolphin|smollm-?2/, "chatml"],
  [
    /deepseek|functionary|xlam|hammer|toolace|tool-?use|firefunction|nemotron(?!-?70b)|cogito|tulu|guard|shield/,
    undefined,
  ],
  [/functiongemma|gemma-?(?:3n|4)|embeddinggemma|paligemma/, undefined],
  [/gemma/, "gemma"],
  [/qwen-?3(?!.*(?:coder|next|vl|omni|thinking)|[._-]5)/, "qwen3"],
  [/qwen-?2[._-]5(?!.*(?:vl|omni|math))/, "qwen2.5"],
  [/llama-?3[._-][13](?!\d)/, "llama3.1"],
  [/llama-?3[._-]2(?!\d)/, "llama3.2"],
  [/llama-?3(?![._-]?\d(?!\d*b))/, "llama3"],
  [/devstral|magistral(?!.*2506)|ministral-3(?!b)|mistral-large-?(?:3|2512)/, "mistral-v13"],
  [/mistral-?(?:small-?(?:3[._-]2|2506)|medium)/, "mistral-v11"],
  [/mistral-small[-:]?(?:3|24b|2501|2503)/, "mistral-v7-tekken"],
  [/nemo|ministral/, "mistral-v3-tekken"],
  [/mi[sx]tral.*(?:v0[._:-]?[12]|8x7b)/, "mistral-v1"],
  [/mistral(?!-large-?2411)|mixtral|codestral|mathstral/, "mistral-v3"],
];

/**
 * The chat format that a model was trained on, from its id in the spelling of any registry; `undefined` if the model's
 * own template is needed (pass that to `ChatTemplate`).
 *
 * @example chatFormatForModel("qwen2.5:7b-instruct-q4_K_M"); // "qwen2.5"
 */
export function chatFormatForModel(modelId: string): ChatFormatName | undefined {
  checkArgument("modelId", "string", modelId);
  const name = modelId.toLowerCase().split("/").at(-1) ?? "";
  return families.find(([family]) => family.test(name))?.[1];
}
