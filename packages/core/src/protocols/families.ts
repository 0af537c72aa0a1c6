import { describeValue } from "../common/describe-value.js";
import { oncePer } from "../common/once-per.js";
import { OptionsError } from "../errors.js";

/**
 * Model families by a pattern of their names; the first match wins. A finetune comes before its base model. Generations
 * without a format of their own are assigned to the format of their family; `undefined`: trained on none. `#` marks a
 * version, see {@link versioned}.
 */
const families = [
  [/hermes|cogito(?!.*(?:deepseek|671b))/, "hermes"],
  [/xlam|hammer/, "json-list"],
  [/toolace/, "pythonic"],
  [/functionary/, "functionary"],
  [/dolphin/, undefined],
  [/nemotron-?(?:(?:nano|super|ultra)-?)?#3|nemotron-cascade-#2/, "qwen3-coder"],
  [/nemotron[:-]70b/, "llama3-json"],
  [/nemotron/, "nemotron-v2"],

  [/gpt-?oss/, "harmony"],
  [/muse-?glimmer/, "muse"],
  [/functiongemma/, "functiongemma"],
  [/gemma-?#4|diffusiongemma/, "gemma4"],
  [/lfm-?#2/, "lfm2"],
  [/olmo-?#3/, "olmo3"],

  [/deepseek.*v#4[._-]#1/, "deepseek-v41"],
  [/deepseek.*v#4/, "deepseek-v4"],
  [/deepseek.*v#3[._-]#2/, "deepseek-v32"],
  // Amazon calls V3.1 so.
  [/deepseek.*v#3[._-]#1|deepseek\.v#3-v1/, "deepseek-v31"],
  [/deepseek-?(?:chat|reasoner)?.*(?:v#3|r#1)|deepseek-(?:chat|reasoner)|cogito/, "deepseek-v3"],

  [/glm-?(?:#4[._-]#[5-9]|#5)/, "glm45"],
  [/glm-?#4(?![._]\d)/, "glm4"],
  [/hyperclova.*think-14b/, "clova"],
  [/laguna|hyperclova.*think-32b|glm-ga|^glyph|macaron/, "glm45"],
  [/solar-?open-?#2/, "solar-open2"],
  [/solar-?open/, "solar-open"],
  [/pangu-(?:embedded|pro|ultra|deepdiver|r)\b/, "pangu"],
  [/pangu-?(?:v?#2|.*-v#2)/, "pangu-v2"],
  [/(?<![a-z])(?:ling-?(?:(?:flash|mini)-)?#3|spark-?(?:#3|#2[._-]#5))/, "glm45"],
  [/(?<![a-z])[lr]ing-?(?:(?:flash|mini)-)?#2|(?<![a-z])[lr]ing-1t(?![a-z\d])|mellum-?#2|kolibri|step-?3-vl/, "hermes"],
  [/kimi-?(?:k#2|linear)/, "kimi-k2"],
  [/kimi-?k#3/, "kimi-k3"],
  [/minimax-?m#2/, "minimax-m2"],
  [/minimax-?m#3/, "minimax-m3"],
  [/minimax-?m#1/, "minimax-m1"],
  [/seed-?oss/, "seed-oss"],
  [/longcat/, "longcat"],
  [/hunyuan.*a13b/, "hunyuan-a13b"],
  [/^hy-?#3|hunyuan-?v?#3/, "hunyuan-v3"],
  [/^hy-?#4|hunyuan-?v?#4/, "hunyuan-v4"],
  [/step-?#3[._-]#[5-9]|minicpm-?v-?#4[._-]#6|intellect-?#3/, "qwen3-coder"],
  [/step-?#3/, "step3"],
  [/intern-?s#1-pro|youtu-llm|nanbeige-?#4/, "hermes"],
  [/intern-?s#2|berrylm|iquest-?coder-?v#1/, "qwen3-coder"],
  [/internlm-?#[23]|intern-?s#1/, "internlm2"],
  [/minicpm-?#5/, "minicpm5"],
  [/minicpm-?#[34]/, "minicpm3"],

  [/granite-?20b-function/, "granite-20b"],
  [/granite-?#4/, "granite4"],
  [/granite-?#3/, "granite"],
  [/phi-?#4-?mini/, "phi4-mini"],
  [/command-?(?:r|a|#4)|north-mini/, "command-r"],
  [/trinity-large-thinking/, "qwen3-coder"],
  [/trinity-(?:nano|mini|large)/, "hermes"],
  [/jamba/, "jamba"],
  [/apriel/, "apriel"],
  [/ernie-?#4/, "ernie"],
  [/apertus/, "apertus"],
  [/^dots/, "dots"],
  [/gigachat-?#3[._-]#5/, "gigachat35"],
  [/gigachat-?#3/, "gigachat3"],
  [/yandexgpt/, "yandex"],
  [/doubao/, "doubao"],

  [/mirothinker/, "mirothinker"],
  [/inkling/, "inkling"],
  [/k2-?horizon|^k2-?v#3/, "k2-horizon"],
  [/plamo-?#3/, "plamo3"],
  [/iquest-?(?:coder-?v#2|q#1)/, "iquest-coder"],
  [/mimo-?v#2/, "mimo-v2"],
  [/exaone-?#4|k-?exaone/, "exaone4"],

  [/qwen-?#3-?coder|qwen-?(?:#3[._-]#[5-9]|#[4-9])/, "qwen3-coder"],
  [/qwen-?(?:#1|#2(?![._-]#5))/, undefined],
  [/qwen|qwq|smollm-?#[23]|mimo|reka/, "hermes"],

  [/devstral|magistral|^mistral-?(?:small-?(?:#3[._-]#2|#4|2506|2603)|medium|large-?(?:#3|2512))/, "mistral"],
  [/ministral-(?:#3|\d+b-2512)|voxtral/, "mistral"],
  [/^mi[sx]tral.*(?:v0[._:-][12]|8x7b)/, undefined],
  [/^(?:open-)?(?:mi[sx]tral|ministral|pixtral)/, "mistral-list"],

  [/llama-?v?#4/, "pythonic"],
  [/llama-?v?#3[._-]#[1-3]/, "llama3-json"],
] as const satisfies readonly (readonly [RegExp, string | undefined])[];

/**
 * The pattern in which `#` marks a version: a number that is no size (`4b`, `1.8b`, `2x8b`), nor the beginning of a longer one
 * (`40`), and `^` the beginning of the name, also after a point or underscore, as behind the publisher's
 * (`mistralai_mistral-7b`, `mistral.mistral-7b`).
 *
 * @example versioned(/gemma-?#4/).test("gemma-4b"); // false
 */
const versioned = oncePer(
  ({ source }: RegExp): RegExp =>
    new RegExp(
      source
        .replace(/#(\d|\[[\d-]+\])/g, String.raw`(?!\d+(?:x\d+)?(?:\.\d+)?b)$1(?!\d)`)
        .replace("^", String.raw`(?<![a-z\d-])`),
    ),
);

/**
 * The name of the wire format of a model's family, see `knownProtocol`. The type is inferred: the registry checks that it has
 * all of these names.
 *
 * @example familyProtocol("qwen3:8b"); // "hermes"
 */
export function familyProtocol(modelId: string) {
  if (typeof modelId !== "string")
    throw new OptionsError("bad-option", `A model id is a string such as "qwen3:8b", not ${describeValue(modelId)}.`);
  // The publisher is ignored: Qwen's own models have different formats, and others publish them as well.
  const written = modelId.toLowerCase().split(/[/\\]/).at(-1) ?? "";
  // Fireworks writes `p` for the point of a version.
  const name = written.replace(/(?<=\d)p(?=\d)/g, ".");
  return families.find(([pattern]) => versioned(pattern).test(name))?.[1];
}
