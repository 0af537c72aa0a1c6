// What is published of the models whose replies are read: the family, and the number of parameters.

/** Families by a part of the name, the more specific first. */
const FAMILIES = [
  [/hermes-2/i, "Hermes 2"],
  [/qwen3/i, "Qwen 3"],
  [/qwen/i, "Qwen"],
  [/xlam/i, "xLAM"],
  [/granite/i, "Granite"],
  [/glm-4/i, "GLM 4"],
  [/toolace|bitagent|watt-tool|coalm/i, "Llama 3.1, tuned for tools"],
  [/llama-3\.1/i, "Llama 3.1"],
  [/llama-3/i, "Llama 3"],
  [/deepseek/i, "DeepSeek"],
  [/gemma/i, "Gemma"],
  [/mistral|ministral|mixtral/i, "Mistral"],
  [/nemotron/i, "Nemotron"],
  [/command-r/i, "Command R"],
  [/dbrx/i, "DBRX"],
  [/arctic/i, "Arctic"],
  [/gorilla/i, "Gorilla"],
  [/claude/i, "Claude"],
  [/gpt-/i, "GPT"],
];

/** Billions of parameters, where the name does not tell and the maker does. */
const SIZES = {
  "command-r-plus": 104,
  "databricks-dbrx-instruct": 132,
  "gorilla-openfunctions-v2": 7,
  "mistral-large-2407": 123,
  "mistral-tiny-2312": 7,
  "open-mistral-nemo-2407": 12,
  "open-mixtral-8x7b": 47,
  "snowflake/arctic": 480,
};

const BANDS = [
  [3, "up to 3B"],
  [9.5, "6B to 9B"],
  [50, "12B to 47B"],
  [Number.POSITIVE_INFINITY, "70B and more"],
];
const UNKNOWN = "size not published";
export const bands = [...BANDS.map(([, name]) => name), UNKNOWN];

/**
 * A model by its name: `{ family, size, band }`, the size in billions of parameters, undefined where it is not published.
 *
 * @example aboutModel("Qwen/Qwen3-8B-FC"); // { family: "Qwen 3", size: 8, band: "6B to 9B" }
 */
export function aboutModel(name) {
  const [, family = name] = FAMILIES.find(([pattern]) => pattern.test(name)) ?? [];
  const said = [...name.matchAll(/(?<![\dx.])(\d+(?:\.\d+)?)b\b/gi)].at(-1);
  const size = SIZES[name] ?? (said ? Number(said[1]) : undefined);
  const band = size === undefined ? UNKNOWN : BANDS.find(([most]) => size <= most)[1];
  return { family, size, band };
}
