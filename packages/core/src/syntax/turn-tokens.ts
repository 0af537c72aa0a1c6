import type { Span } from "./syntax.js";
import { inAllSpellings } from "./token-spellings.js";

/** Tokens that begin the header of a turn. Some models put them before calls as well. */
export const beginTokens: readonly string[] = ["<|im_start|>", "<|start_header_id|>", "<start_of_turn>"];

/**
 * What a prompt of well-known chat templates ends with. Some models repeat it, and servers leave it at the beginning of
 * the reply.
 */
export const answerTokens: readonly string[] = [
  // GLM, Phi; DeepSeek; Command R; Apertus
  ...[
    "<|assistant|>",
    "<｜Assistant｜>",
    "<|Assistant|>",
    "<|START_OF_TURN_TOKEN|>",
    "<|CHATBOT_TOKEN|>",
    "<|assistant_start|>",
  ],
  // Mistral; Granite; Kimi; Llama 4
  "[/INST]",
  "<|start_of_role|>assistant<|end_of_role|>",
  "<|im_assistant|>assistant<|im_middle|>",
  "<|header_start|>assistant<|header_end|>",
];

/**
 * Tokens that begin the header of a turn in other templates. A header of the model's own turn is none: models repeat it
 * before a call or an answer.
 */
export const headTokens: readonly string[] = [
  // Llama 4; Granite; Gemma 4; Solar Open; K2 Horizon; Step 3; Seed-OSS; MiniMax; Kimi K3
  ...["<|header_start|>", "<|start_of_role|>", "<|turn>", "<|begin|>", "<|im:start|>", "<|ifm|im_start|>", "<|BOT|>"],
  ...["<seed:bos>", "]~b]", "<beginning_of_sentence>", '<|open|>message role="'],
];

const othersRoles: readonly string[] = ["user", "system", "tool", "ipython", "environment", "developer"];

/** The roles in the headers of turns. */
export const roles: readonly string[] = ["assistant", "model", ...othersRoles];

/** Whether the role of a message is the model's, whose messages may have calls. */
export const isModelRole = (role: unknown): boolean => role === "assistant";

/** The beginnings of the model's own turn. */
export const modelTurns: readonly string[] = [
  ...beginTokens.flatMap((token) => ["assistant", "model"].map((role) => token + role)),
  ...answerTokens,
];

/** Turns that the model invents itself: a call or an answer after them has no basis. */
export const turnSpans: readonly Span[] = [
  ...beginTokens.flatMap((token) => roles.map((role) => token + role)),
  ...headTokens.flatMap((token) => othersRoles.map((role) => token + role)),
].map((open) => ({ open, as: "dropped" }));

/**
 * The beginnings of others' turns that begin one only directly after a call or the end of a turn: elsewhere they end the
 * model's, or are text.
 * Results that it writes after them itself are dropped.
 */
export const turnsAfterCalls: readonly Span[] = [
  // GLM, Phi; Kimi; Mistral; Ling; Spark
  ...["<|observation|>", "<|user|>", "<|tool_response|>", "<|system|>", "<|im_system|>", "<|im_user|>"],
  ...["[INST]", "[AVAILABLE_TOOLS]", "<role>HUMAN", ...inAllSpellings(["<｜User｜>", "<｜start▁of▁sentence｜>"])],
].map((open) => ({ open, as: "dropped" }));

// How turns begin in the chat templates of model families whose tokens other models mention in text: only in their own
// protocols do they begin a turn anywhere. The header of the model's own turn is none: models repeat it before a call or an
// answer.

export const deepseekTurns: readonly string[] = ["<｜User｜>", "<|User|>"];
export const glmTurns: readonly string[] = ["<|user|>", "<|observation|>", "<|system|>"];
export const gigachatTurns: readonly string[] = ["user", "system", "function result"].map(
  (role) => `${role}<|role_sep|>`,
);
export const kimiTurns: readonly string[] = ["<|im_user|>", "<|im_system|>"];
export const mistralTurns: readonly string[] = ["[INST]", "[AVAILABLE_TOOLS]"];
export const phiTurns: readonly string[] = ["<|user|>", "<|tool_response|>", "<|system|>"];

/** The end of a header in Granite's templates. */
const headerEnd = "<|end_of_role|>";

/**
 * Tokens that end a turn in well-known chat templates. A server that does not know them leaves them in the reply.
 * Sources: the chat templates and tokenizers published with the models.
 */
export const endTokens: readonly string[] = [
  // ChatML, GPT-2 and others; Llama 3; gpt-oss; Phi
  ...["<|im_end|>", "<|endoftext|>", "<|end_of_text|>", "<|eot_id|>", "<|eom_id|>", "<|return|>", "<|end|>"],
  // Llama 2, Mistral; Gemma; Hunyuan; Kimi
  ...["</s>", "<end_of_turn>", "<turn|>", "<eos>", "<|eos|>", "[EOS]"],
  // DeepSeek and models distilled from it
  ...inAllSpellings(["<｜end▁of▁sentence｜>"]),
  // Hunyuan; EXAONE; Ling; dots
  ...["<｜hy_eos:opensource｜>", "<｜hy_eos｜>", "[|endofturn|]", "<|role_end|>", "<|endofresponse|>"],
  // Command R; Granite; GLM; Seed-OSS; MiniMax; Reka
  ...["<|END_OF_TURN_TOKEN|>", headerEnd, "<|user|>", "<|observation|>", "<seed:eos>", "[e~[", "<sep>"],
  // Solar Open 2; MiniMax M1
  ...["<|im:end|>", "<end_of_sentence>"],
  // Step 3, DeepSeek Coder; Jamba
  ...["<|EOT|>", "<|eom|>"],
  // Llama 4; LongCat; PLaMo; HyperCLOVA X
  ...["<|eot|>", "</longcat_s>", "<|plamo:tag|>", "<|endofturn|>", "<|stop|>"],
];

/** The tokens that end a turn, and no header; some of them begin another's turn. */
export const turnEndTokens: readonly string[] = endTokens.filter((token) => token !== headerEnd);
