import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import type { Span } from "../../syntax/syntax.js";
import { inAllSpellings } from "../../syntax/token-spellings.js";

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
  // Granite; Kimi; Llama 4
  "<|start_of_role|>assistant<|end_of_role|>",
  "<|im_assistant|>assistant<|im_middle|>",
  "<|header_start|>assistant<|header_end|>",
];

/** The roles in the headers of turns. */
export const roles: readonly string[] = ["user", "assistant", "system", "tool", "model", "ipython", "environment"];

/** Turns that the model invents itself: a call or an answer after them has no basis. */
export const turnSpans: readonly Span[] = beginTokens.flatMap((token) =>
  roles.map((role) => ({
    open: token + role,
    as: "dropped" as const,
  })),
);

/**
 * The beginnings of others' turns that begin one only directly after a call: elsewhere they end the model's, or are text. Results
 * that it writes after them itself are dropped.
 */
export const turnsAfterCalls: readonly Span[] = [
  // GLM; Phi; Granite; Kimi; Llama 4
  ...["<|observation|>", "<|user|>", "<|tool_response|>", "<|start_of_role|>tool_response", "<|start_of_role|>user"],
  ...["<|im_system|>", "<|im_user|>", "<|header_start|>ipython", "<|header_start|>user"],
  ...inAllSpellings(["<｜User｜>"]),
].map((open) => ({ open, as: "dropped" }));

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
  ...["<｜hy_eos:opensource｜>", "[|endofturn|]", "<|role_end|>", "<|endofresponse|>"],
  // Command R; Granite; GLM; Seed-OSS; MiniMax; Reka
  ...["<|END_OF_TURN_TOKEN|>", "<|end_of_role|>", "<|user|>", "<|observation|>", "<seed:eos>", "[e~[", "<sep>"],
];

/** The most tokens in a row that are looked at. */
const MAX_TOKENS = 8;

/**
 * Where the tokens that end a turn, and the space after each, end; undefined if there are more than {@link MAX_TOKENS}, or more
 * space than the look-ahead covers.
 */
export function turnEnd(look: Lookahead, from: number): number | undefined {
  let end = from;
  for (let count = 0; count < MAX_TOKENS; count++) {
    const at = end;
    const token = look.find(endTokens, (each) => look.has(each, at));
    if (token === undefined) return at;
    end = spaceEnd(look.text, at + token.length);
    if (end - at - token.length > LOOKAHEAD) return undefined;
  }
  return undefined;
}

/** Whether the turn ends at an index before other tokens that end it: the reply ends there, or another turn begins. */
export function turnIsOver(look: Lookahead, at: number): boolean {
  const last = turnEnd(look, at);
  // Text that mentions a token does not repeat it so often, nor puts so much space after it.
  if (last === undefined) return true;
  return look.endsAt(last) || look.find(beginTokens, (token) => look.has(token, last)) !== undefined;
}
